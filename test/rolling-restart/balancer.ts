// A TCP balancer as small as it can be: each connection goes to the next server whose /readyz is 200, which it asks all the time.

import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const ASK_EVERY_MS = 10

export class Balancer {
  readonly #server: Server
  readonly #ready = new Map<number, boolean>()
  readonly #open = new Set<Socket>()
  readonly #timer: NodeJS.Timeout
  readonly #targets: ReadonlyMap<number, number>
  #turn = 0

  /** `ports` are the servers' on loopback; connections go to another one of the same server where `targets` has it. */
  constructor(ports: readonly number[], targets: ReadonlyMap<number, number> = new Map()) {
    this.#targets = targets
    for (const port of ports) this.#ready.set(port, false)
    this.#server = createServer((socket) => this.#join(socket))
    this.#timer = setInterval(() => this.#askAll(), ASK_EVERY_MS)
  }

  /** Resolves to the URL. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  isReady(port: number): boolean {
    return this.#ready.get(port) === true
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
  }

  #join(socket: Socket): void {
    const ready = [...this.#ready].filter(([, isReady]) => isReady)
    const chosen = ready[this.#turn++ % ready.length]
    if (chosen === undefined) {
      socket.destroy()
      return
    }
    const other = connect(this.#targets.get(chosen[0]) ?? chosen[0], '127.0.0.1')
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#open.add(from)
      from.setNoDelay()
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#open.delete(from)
        to.end()
      })
    }
  }

  #askAll(): void {
    for (const port of this.#ready.keys()) {
      const asked = get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (answer) => {
        this.#ready.set(port, answer.statusCode === 200)
        answer.resume()
      })
      asked.on('error', () => this.#ready.set(port, false))
    }
  }
}
