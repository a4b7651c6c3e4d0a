// The shortest interval that an author may request for the next reconcile. A shorter one is mostly a wrong unit, and would
// keep the server busy. Operators and executors have one per process.

const SHORTEST_MS = 100

export class Pace {
  readonly #warn: (message: string) => void
  #warned = false

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** The interval, or the minimum if it is shorter. Warns the first time that it raises one. */
  keep(ms: number, what: string): number {
    if (ms >= SHORTEST_MS) return ms
    if (!this.#warned) this.#warn(`${what} is to be run again after ${ms} ms; the shortest time is ${SHORTEST_MS} ms`)
    this.#warned = true
    return SHORTEST_MS
  }
}
