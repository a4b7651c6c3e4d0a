// A clock that stands still until told to move, for tests.

import type { Clock } from './clock.ts'

interface Timer {
  readonly due: number
  readonly callback: () => void
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  #now: number

  constructor(now = 0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, ms), callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size
  }

  /** Moves time on and calls every timer that comes due on the way, in order, also those set meanwhile. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let timer = this.#first(end); timer !== undefined; timer = this.#first(end)) {
      this.#timers.delete(timer)
      this.#now = timer.due
      timer.callback()
    }
    this.#now = end
  }

  #first(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
    }
    return first
  }
}
