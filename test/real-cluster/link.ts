// The link between two programs, as a TCP proxy in front of one of them has it. Each direction by itself can be held up: what is
// under way waits, as it does while packets are lost, and comes in order when the link is whole. Also the news of an end waits.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Direction = 'there' | 'back'

export class Link {
  readonly #held = new Set<Direction>()
  readonly #flows: Record<Direction, Set<() => void>> = { there: new Set(), back: new Set() }

  /** Joins a connection that came in with one to the port. `first` was read from it already. */
  join(incoming: Socket, port: number, first?: Buffer): void {
    const outgoing = connect(port, '127.0.0.1')
    if (first !== undefined) incoming.unshift(first)
    this.#pump('there', incoming, outgoing)
    this.#pump('back', outgoing, incoming)
  }

  hold(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#held.add(direction)
  }

  release(): void {
    this.#held.clear()
    for (const flow of [...this.#flows.there, ...this.#flows.back]) flow()
  }

  /** `there` is from whoever connected. */
  #pump(direction: Direction, from: Socket, to: Socket): void {
    let isOver = false
    const flow = () => {
      if (this.#held.has(direction)) from.pause()
      else if (isOver) {
        this.#flows[direction].delete(flow)
        to.destroy()
      } else from.resume()
    }
    this.#flows[direction].add(flow)
    from.setNoDelay()
    from.on('data', (part) => {
      if (!to.write(part)) {
        from.pause()
        to.once('drain', flow)
      }
      if (this.#held.has(direction)) from.pause()
    })
    from.on('error', () => {})
    from.on('close', () => {
      isOver = true
      flow()
    })
    flow()
  }
}

/** Listens on a free port and hands each connection over; `close` ends all of them. */
export class Doorway {
  readonly #server: Server
  readonly #open = new Set<Socket>()

  constructor(take: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      take(socket)
    })
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }
}
