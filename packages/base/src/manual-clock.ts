// A clock for tests that stands still until the test advances it.

import type { Clock } from './clock.ts'

interface Timer {
  due: number
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

  /** The process does not run meanwhile: what comes due is called afterwards, when the time is over. May go back. */
  stopFor(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter((timer) => timer.due <= this.#now).sort((a, b) => a.due - b.due)
    for (const timer of due) if (this.#timers.delete(timer)) timer.callback()
  }

  /** The machine sleeps: the time of day goes on, timers do not. */
  sleepFor(ms: number): void {
    this.#now += ms
    for (const timer of this.#timers) timer.due += ms
  }

  #first(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
    }
    return first
  }
}
