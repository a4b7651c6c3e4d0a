// Listens on an address and passes each connection to the HTTP server when its local user is allowed. Connections from
// inside the process do not pass here (local-connection.ts).

import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import type { UserGuard } from './user-guard.ts'

export class Listener {
  readonly #serve: (socket: Socket) => void
  readonly #users: UserGuard | undefined
  readonly #net: NetServer
  #closed = false

  /** Without a guard every local user is allowed. Connections beyond the limit are closed at once. */
  constructor(serve: (socket: Socket) => void, users: UserGuard | undefined, maxConnections: number) {
    this.#serve = serve
    this.#users = users
    // The options of node:http, except that nothing is read before the user is known.
    this.#net = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: users !== undefined })
    this.#net.maxConnections = maxConnections
    this.#net.on('connection', (socket) => void this.#accept(socket))
  }

  /** Resolves to the port. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#net.once('error', reject)
      this.#net.listen(port, host, () => {
        this.#net.off('error', reject)
        resolve()
      })
    })
    return (this.#net.address() as AddressInfo).port
  }

  /** Accepts no new connections. Those that were passed on stay open. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#net.close()
    this.#users?.close()
  }

  async #accept(socket: Socket): Promise<void> {
    if (this.#users && !(await this.#users.admits(socket))) return
    if (this.#closed) {
      socket.destroy()
      return
    }
    this.#serve(socket)
    if (this.#users) socket.resume()
  }
}
