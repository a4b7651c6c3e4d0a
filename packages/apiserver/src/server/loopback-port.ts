// A port of this machine for pages alone, with the guards of the plain port: the users who may connect, the hosts and origins that are
// answered. `homeostat dashboard` serves a site on it without an API server.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Log } from '@homeostat/base'
import { Listener } from '../http/listener.ts'
import { type LocalUsers, logRefusals, ownUsers } from '../http/local-users.ts'
import { PageGuard } from '../http/page-guard.ts'
import { isVisit, type SitePaths } from '../http/site.ts'
import { responseFor } from '../http/upgrade.ts'
import { UserGuard } from '../http/user-guard.ts'
import { LOCAL_PEER } from '../identity/peer.ts'

export interface LoopbackPortOptions {
  /** 0: any free one. */
  readonly port: number
  /** Default: the process's own user, and root. */
  readonly localUsers?: LocalUsers | undefined
  /** Whose pages may be visited from anywhere. */
  readonly site: SitePaths
  readonly log: Log
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** A request to upgrade to a WebSocket; `response` refuses it. */
  upgrade(request: IncomingMessage, head: Buffer, response: ServerResponse): Promise<void>
}

export interface LoopbackPort {
  readonly port: number
  close(): void
}

const HOST = '127.0.0.1'
const MAX_CONNECTIONS = 1000

export async function openLoopbackPort(options: LoopbackPortOptions): Promise<LoopbackPort> {
  const { site, log, handle, upgrade, localUsers = ownUsers() } = options
  const { createServer } = process.getBuiltinModule('node:http')
  const pages = new PageGuard()
  const sockets = new Set<Duplex>()
  const answer = async (request: IncomingMessage, response: ServerResponse, work: () => Promise<void>) => {
    try {
      const { method = 'GET', url = '/', headers } = request
      const visit = isVisit(site, { method, pathname: url.split('?', 1)[0] ?? '', headers })
      const refusal = pages.refuse({ headers, peer: LOCAL_PEER }, visit)
      if (refusal) send(response, refusal.code, refusal.status)
      else await work()
    } catch (error) {
      log.error({ err: error, url: request.url?.split('?', 1)[0] }, 'a request failed')
      if (!response.headersSent)
        send(response, 500, { kind: 'Status', status: 'Failure', message: String(error), code: 500 })
      else response.destroy()
    }
  }
  const server = createServer((request, response) => void answer(request, response, () => handle(request, response)))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = responseFor(request, socket)
    void answer(request, response, () => upgrade(request, head, response))
  })
  const guard = localUsers === 'all' ? undefined : new UserGuard({ allowed: localUsers, onRefused: logRefusals(log) })
  const listener = new Listener(
    (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      server.emit('connection', socket)
    },
    guard,
    MAX_CONNECTIONS,
  )
  const port = await listener.listen(HOST, options.port)
  return {
    port,
    close() {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function send(response: ServerResponse, code: number, status: object): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(status)}\n`)
}
