// Serves HTTP/1.1 with node:http: wraps every request and upgrade in a transport and passes it to the router. It owns the
// open connections, those of the network and those from inside this process.

import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Transport } from '../exchange/transport.ts'
import { Connections } from './connections.ts'
import { Http1Transport, UpgradeTransport } from './http1-transport.ts'
import { LocalConnections } from './local-connection.ts'
import { isWebSocket, responseFor } from './upgrade.ts'

export interface RequestTimeouts {
  readonly headersMs: number
  readonly requestMs: number
}

export interface Http1Server {
  /** Takes sockets as `connection` events. */
  readonly server: Server
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
    (request, response) => handle(new Http1Transport(request, response, local.peerOf(request.socket))),
  )
  const local = new LocalConnections(server)
  server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    const peer = local.peerOf(request.socket)
    handle(new UpgradeTransport(request, responseFor(request, socket), peer, head))
  })
  // With this event node:http begins to keep track of connections, which closing them needs.
  server.emit('listening')
  return { server, local, connections: new Connections(server) }
}
