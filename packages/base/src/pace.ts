// The shortest time after which an author may ask for the next run. Whoever writes a shorter one means another unit more
// often than not, and would keep the server busy. Operators and executors ask it, one per process.

const SHORTEST_MS = 100

export class Pace {
  readonly #warn: (message: string) => void
  #warned = false

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** The time itself, or the shortest there is. Warns of the first that it raises. */
  keep(ms: number, what: string): number {
    if (ms >= SHORTEST_MS) return ms
    if (!this.#warned) this.#warn(`${what} is to be run again after ${ms} ms; the shortest time is ${SHORTEST_MS} ms`)
    this.#warned = true
    return SHORTEST_MS
  }
}
