// Ends a server's connections when it closes: at once those that wait for a request, and each other one when its
// answer is out. node:http alone would wait for keep-alive to run out, and for ever on a connection that never spoke.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const SWEEP_MS = 20
/** Whoever has not finished a request or taken its answer by then is cut off. */
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

  /** Stops listening and resolves when the last answer is out and every connection is closed. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve())).then(() => this.#gone())
    this.#sweep()
    const timer = setInterval(() => this.#sweep(), SWEEP_MS)
    const late = setTimeout(() => {
      // Those that went on as WebSockets too, which the server has let go of.
      for (const socket of this.#open) socket.destroy()
    }, DRAIN_MS)
    await closed
    clearInterval(timer)
    clearTimeout(late)
  }

  /** The server counts only connections of its own. */
  async #gone(): Promise<void> {
    for (const socket of this.#open) await new Promise((resolve) => socket.once('close', resolve))
  }

  #sweep(): void {
    this.#server.closeIdleConnections()
    for (const socket of this.#open) if (isSilent(socket)) socket.destroy()
  }
}

/** Nothing ever came. A stream inside the process counts no bytes. */
function isSilent({ bytesRead, readableDidRead }: Socket): boolean {
  return bytesRead === undefined ? !readableDidRead : bytesRead === 0
}
