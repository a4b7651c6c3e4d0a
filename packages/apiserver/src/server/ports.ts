// Where connections come in: plain HTTP on loopback, TLS, and from inside this process. All of them end at one router.

import type { Log } from '@homeostat/base'
import type { Transport } from '../exchange/transport.ts'
import { type Http1Server, http1Server } from '../http/http1-server.ts'
import { Listener } from '../http/listener.ts'
import { guardFor, ownUsers } from '../http/local-users.ts'
import type { PageGuard } from '../http/page-guard.ts'
import type { SecureListener } from '../http/tls/listen-securely.ts'
import { LOCAL_PEER } from '../identity/peer.ts'
import type { ServerMetrics } from '../ops/server-metrics.ts'
import type { ApiServerOptions } from './options.ts'

export interface PortParts {
  readonly pages: PageGuard
  readonly metrics: ServerMetrics
  readonly log: Log
  handle(transport: Transport): void
}

const MAX_CONNECTIONS = 20_000
/** After a drain: how long a request may still come in on an idle connection. */
const LINGER_MS = 1500

export class Ports {
  /** Undefined until `listen`, and for a server without TLS. */
  secure: SecureListener | undefined
  readonly #options: ApiServerOptions
  readonly #parts: PortParts
  readonly #http1: Http1Server
  readonly #plain: Listener
  readonly #maxConnections: number
  #lingerMs = 0

  constructor(options: ApiServerOptions, parts: PortParts) {
    this.#options = options
    this.#parts = parts
    this.#maxConnections = options.maxConnections ?? MAX_CONNECTIONS
    this.#http1 = http1Server(parts.handle, options.timeouts)
    const guard = guardFor(options.localUsers ?? ownUsers(), parts.log, parts.metrics)
    this.#plain = new Listener((socket) => this.#http1.accept(socket, LOCAL_PEER), guard, this.#maxConnections)
  }

  /** Connections from inside this process. */
  get local(): Http1Server['local'] {
    return this.#http1.local
  }

  /** Resolves with the port of plain HTTP; 0 without one. */
  async listen(): Promise<number> {
    const { secure, host, port, timeouts } = this.#options
    if (secure) {
      const { handle, pages } = this.#parts
      // Loaded only here: node:tls and node:http2 take longer than all else of a start without them.
      const { listenSecurely } = await import('../http/tls/listen-securely.ts')
      const maxConnections = this.#maxConnections
      this.secure = await listenSecurely({ ...secure, http1: this.#http1, pages, handle, maxConnections, timeouts })
    }
    return port === undefined ? 0 : this.#plain.listen(host, port)
  }

  /** Goes on serving, and asks each client to take its next connection elsewhere. */
  drain(): void {
    this.#lingerMs = LINGER_MS
    this.#http1.drain()
    this.secure?.drain()
  }

  async close(): Promise<void> {
    this.#plain.close()
    await Promise.all([this.secure?.close(), this.#http1.connections.close(this.#lingerMs)])
  }
}
