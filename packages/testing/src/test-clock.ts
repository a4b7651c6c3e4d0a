// A clock that the test controls. It runs like the system's until the test advances it; timers due by then fire in
// order. A frozen clock moves only when the test advances it.

import { type Clock, systemClock } from '@homeostat/base'

interface Timer {
  readonly due: number
  readonly callback: () => void
  /** Cancels the system timer behind it, if there is one. */
  cancel(): void
}

export class TestClock implements Clock {
  readonly #timers = new Set<Timer>()
  readonly #frozen: boolean
  /** The offset from the system's time; the time itself when frozen. */
  #offset: number

  /** `start` is the first time it shows. Default: now. */
  constructor({ start, frozen = false }: { readonly start?: number; readonly frozen?: boolean } = {}) {
    this.#frozen = frozen
    const now = Date.now()
    this.#offset = frozen ? (start ?? now) : (start ?? now) - now
  }

  now(): number {
    return this.#frozen ? this.#offset : systemClock.now() + this.#offset
  }

  /** Number of pending timers. */
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

  /** Advances the time and fires every timer that is due by then, in order, including those set on the way. */
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
