// Closes a server's connections when it ends: idle ones at once, others when their response is sent. node:http alone would
// wait for keep-alive to time out, and for ever on a connection that never sent anything.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const SWEEP_MS = 20
/** Connections whose request or response is not complete by then are destroyed. */
const DRAIN_MS = 30_000

export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /**
   * Stops listening and resolves when the last response is sent and every connection is closed. Idle ones are left open for
   * `lingerMs`: a client may be sending on one, and has had no response yet that ends it.
   */
  async close(lingerMs = 0): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      // Its close would end idle connections at once, and no socket listens here that had to be closed.
      if (lingerMs === 0) this.#server.close(() => resolve())
      else setTimeout(() => this.#server.close(() => resolve()), lingerMs)
    }).then(() => this.#gone())
    const lingering = performance.now() + lingerMs
    const sweep = () => {
      if (performance.now() >= lingering) this.#sweep()
    }
    sweep()
    const timer = setInterval(sweep, SWEEP_MS)
    const late = setTimeout(() => {
      // This includes WebSockets, which node:http no longer tracks.
      for (const socket of this.#open) socket.destroy()
    }, DRAIN_MS)
    await closed
    clearInterval(timer)
    clearTimeout(late)
  }

  /** Waits for all connections; node:http counts only those that are not upgraded. */
  async #gone(): Promise<void> {
    for (const socket of this.#open) await new Promise((resolve) => socket.once('close', resolve))
  }

  #sweep(): void {
    this.#server.closeIdleConnections()
    for (const socket of this.#open) if (isSilent(socket)) socket.destroy()
  }
}

/** Whether the client never sent anything. In-process streams have no byte counters. */
function isSilent({ bytesRead, readableDidRead }: Socket): boolean {
  return bytesRead === undefined ? !readableDidRead : bytesRead === 0
}
