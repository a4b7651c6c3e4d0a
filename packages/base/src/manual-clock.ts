// A clock for tests. It stands still until the test advances it; one that `runs` also goes on with the system's time.

import { type Clock, systemClock } from './clock.ts'

interface Timer {
  due: number
  readonly callback: () => void
  /** Cancels the system's timer behind it, if there is one. */
  readonly cancel: () => void
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  readonly #runs: boolean
  /** The time itself; of a clock that runs the offset from the system's. */
  #offset: number

  /** `now` is the first time it shows. */
  constructor(now = 0, { runs = false }: { readonly runs?: boolean } = {}) {
    this.#runs = runs
    this.#offset = runs ? now - systemClock.now() : now
  }

  now(): number {
    return this.#runs ? systemClock.now() + this.#offset : this.#offset
  }

  setTimer(ms: number, callback: () => void): () => void {
    const fire = () => {
      if (this.#timers.delete(timer)) callback()
    }
    const cancel = this.#runs ? systemClock.setTimer(ms, fire) : () => {}
    const timer: Timer = { due: this.now() + Math.max(0, ms), callback, cancel }
    this.#timers.add(timer)
    return () => {
      this.#timers.delete(timer)
      cancel()
    }
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.size
  }

  /** Moves time on and calls every timer that comes due on the way, in order, also those set meanwhile. */
  advance(ms: number): void {
    const end = this.now() + ms
    for (let timer = this.#first(end); timer !== undefined; timer = this.#first(end)) {
      this.#timers.delete(timer)
      timer.cancel()
      this.#moveTo(timer.due)
      timer.callback()
    }
    this.#moveTo(end)
  }

  /** The process does not run meanwhile: what comes due is called afterwards, when the time is over. May go back. */
  stopFor(ms: number): void {
    this.#offset += ms
    const now = this.now()
    const due = [...this.#timers].filter((timer) => timer.due <= now).sort((a, b) => a.due - b.due)
    for (const timer of due) {
      if (!this.#timers.delete(timer)) continue
      timer.cancel()
      timer.callback()
    }
  }

  /** The machine sleeps: the time of day goes on, timers do not. */
  sleepFor(ms: number): void {
    this.#offset += ms
    for (const timer of this.#timers) timer.due += ms
  }

  /** A clock that runs may be past it already. */
  #moveTo(time: number): void {
    this.#offset += Math.max(0, time - this.now())
  }

  #first(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (timer.due <= end && (first === undefined || timer.due < first.due)) first = timer
    }
    return first
  }
}
