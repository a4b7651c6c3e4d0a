// Ends a connection that says nothing for too long, or does not end when it should. Hearing is cheap: it notes the
// time, and one timer looks again.

import type { Clock } from '@homeostat/base'
import { SilenceError } from './recovery.ts'

export class ConnectionGuard {
  readonly #clock: Clock
  readonly #end: (error: SilenceError) => void
  #silenceMs: number
  #heardAt: number
  #cancelLook: () => void
  #cancelEnd: () => void = () => {}

  constructor(clock: Clock, silenceMs: number, end: (error: SilenceError) => void) {
    this.#clock = clock
    this.#end = end
    this.#silenceMs = silenceMs
    this.#heardAt = clock.now()
    this.#cancelLook = clock.setTimer(silenceMs, () => this.#look())
  }

  heard(): void {
    this.#heardAt = this.#clock.now()
  }

  /** From now on it may be silent for so long. */
  allow(silenceMs: number): void {
    this.#silenceMs = silenceMs
    this.#cancelLook()
    this.heard()
    this.#cancelLook = this.#clock.setTimer(silenceMs, () => this.#look())
  }

  /** Whatever is heard, it ends after this time: a server that sends a byte now and then is no better than a silent one. */
  endAfter(ms: number): void {
    this.#cancelEnd()
    const error = new SilenceError(`The watch did not end after ${ms} ms, as it was asked to.`)
    this.#cancelEnd = this.#clock.setTimer(ms, () => this.#end(error))
  }

  close(): void {
    this.#cancelLook()
    this.#cancelEnd()
  }

  #look(): void {
    const left = this.#heardAt + this.#silenceMs - this.#clock.now()
    if (left <= 0) this.#end(new SilenceError(`The server sent nothing for ${this.#silenceMs} ms.`))
    // A clock that was set back must not make it deaf for longer than the limit.
    else this.#cancelLook = this.#clock.setTimer(Math.min(left, this.#silenceMs), () => this.#look())
  }
}
