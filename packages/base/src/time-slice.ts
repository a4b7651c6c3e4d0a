// Bounds how long work in many small steps holds the event loop. Walks over many objects and loops over a queue call it
// between two steps.

import { yieldToLoop } from './yield-to-loop.ts'

/** Default length of a slice. */
const SLICE_MS = 10

export class TimeSlice {
  readonly #ms: number
  #began = performance.now()
  #yielding: Promise<void> | undefined

  /** `ms` is how long work goes on before others get their turn. Default 10. */
  constructor(ms = SLICE_MS) {
    this.#ms = ms
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= this.#ms
  }

  /**
   * Call between two steps: undefined while the slice lasts; else a new one begins when this resolves. Workers that share
   * a slice resume at the same time.
   */
  next(): Promise<void> | undefined {
    if (this.#yielding !== undefined) return this.#yielding
    if (!this.isOver) return undefined
    this.#yielding = yieldToLoop().then(() => {
      this.#yielding = undefined
      this.#began = performance.now()
    })
    return this.#yielding
  }
}
