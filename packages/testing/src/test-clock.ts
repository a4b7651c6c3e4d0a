// A clock that the test owns: it goes like any other until the test jumps ahead, and whatever comes due on the way
// happens then, in order. Frozen, it stands still until it is moved.

import { type Clock, systemClock } from '@homeostat/base'

interface Timer {
  readonly due: number
  readonly callback: () => void
  /** Stops the timer of the system that stands for it, if it has one. */
  cancel(): void
}

export class TestClock implements Clock {
  readonly #timers = new Set<Timer>()
  readonly #frozen: boolean
  /** What is added to the system's time; the time itself when frozen. */
  #offset: number

  /** `start` is what it says first. Default: now. */
  constructor({ start, frozen = false }: { readonly start?: number; readonly frozen?: boolean } = {}) {
    this.#frozen = frozen
    const now = Date.now()
    this.#offset = frozen ? (start ?? now) : (start ?? now) - now
  }

  now(): number {
    return this.#frozen ? this.#offset : systemClock.now() + this.#offset
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size
  }

  setTimer(ms: number, callback: () => void): () => void {
    const fire = () => {
      if (this.#timers.delete(timer)) callback()
    }
    const cancel = this.#frozen ? () => {} : systemClock.setTimer(ms, fire)
    const timer: Timer = { due: this.now() + Math.max(0, ms), callback, cancel }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
      cancel()
    }
  }

  /** Moves time on and calls every timer that comes due on the way, in order, also those set meanwhile. */
  advance(ms: number): void {
    const end = this.now() + ms
    for (let next = this.#first(end); next !== undefined; next = this.#first(end)) {
      this.#offset += Math.max(0, next.due - this.now())
      this.#timers.delete(next)
      next.cancel()
      next.callback()
    }
    this.#offset += Math.max(0, end - this.now())
  }

  #first(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
    }
    return first
  }
}
