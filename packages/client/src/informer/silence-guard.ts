// Notices that nothing was heard for too long. Hearing is cheap: it notes the time, and one timer looks again.

import type { Clock } from '@homeostat/queue'

export class SilenceGuard {
  readonly #clock: Clock
  /** May be changed on the way; it holds from the next look on. */
  limitMs: number
  readonly #onSilence: () => void
  #heardAt: number
  #cancel: () => void

  constructor(clock: Clock, limitMs: number, onSilence: () => void) {
    this.#clock = clock
    this.limitMs = limitMs
    this.#onSilence = onSilence
    this.#heardAt = clock.now()
    this.#cancel = clock.setTimer(limitMs, () => this.#look())
  }

  heard(): void {
    this.#heardAt = this.#clock.now()
  }

  close(): void {
    this.#cancel()
  }

  #look(): void {
    const left = this.#heardAt + this.limitMs - this.#clock.now()
    // A clock that was set back must not make it deaf for longer than the limit.
    if (left > 0) this.#cancel = this.#clock.setTimer(Math.min(left, this.limitMs), () => this.#look())
    else this.#onSilence()
  }
}
