// Serves HTTP/1.1 with node:http: wraps every request and upgrade in a transport and passes it to the router. It owns the
// open connections, those of the network and those from inside this process.

import type { Duplex } from 'node:stream'
import type { Transport } from '../exchange/transport.ts'
import type { Peer } from '../identity/peer.ts'
import { Connections } from './connections.ts'
import { Http1Transport, type ServerLifetime, UpgradeTransport } from './http1-transport.ts'
import { LocalConnections } from './local-connection.ts'
import { isWebSocket, responseFor } from './upgrade.ts'

export interface RequestTimeouts {
  readonly headersMs: number
  readonly requestMs: number
}

export interface Http1Server {
  /** Serves a connection of this peer. Others are not served. */
  accept(connection: Duplex, peer: Peer): void
  /** From now on every response is the last one of its connection. */
  drain(): void
  readonly connections: Connections
  readonly local: LocalConnections
}

// An import of node:http evaluates all its exports, and one of them loads an HTTP client: 20 ms and 6 MB.
const { createServer } = process.getBuiltinModule('node:http')

/** Go's HTTP clients keep idle connections for 90 s; closing earlier would race with their next request. */
const KEEP_ALIVE_MS = 125_000
const TIMEOUTS: RequestTimeouts = { headersMs: 30_000, requestMs: 60_000 }
/** How often node:http checks for requests that time out. Its default of 30 s would be added to each timeout. */
const LOOK_EVERY_MS = 1000

/** `timeouts`: how long a client may take to send a request. Default: 30 s for its head, 60 s for all of it. */
export function http1Server(
  handle: (transport: Transport) => void,
  { headersMs, requestMs }: RequestTimeouts = TIMEOUTS,
): Http1Server {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      maxHeaderSize: 64 << 10,
      noDelay: true,
      shouldUpgradeCallback: isWebSocket,
    },
    (request, response) => {
      const peer = peers.get(request.socket)
      if (peer === undefined) request.socket.destroy()
      else handle(new Http1Transport(request, response, peer, lifetime))
    },
  )
  const lifetime: ServerLifetime = { isDraining: false }
  const peers = new WeakMap<object, Peer>()
  const accept = (connection: Duplex, peer: Peer) => {
    peers.set(connection, peer)
    server.emit('connection', connection)
  }
  const local = new LocalConnections(server, accept)
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    const peer = peers.get(request.socket)
    if (peer === undefined) socket.destroy()
    else handle(new UpgradeTransport(request, responseFor(request, socket), peer, lifetime, head))
  })
  // With this event node:http begins to keep track of connections, which closing them needs.
  server.emit('listening')
  const drain = () => {
    lifetime.isDraining = true
  }
  return { accept, drain, local, connections: new Connections(server) }
}
