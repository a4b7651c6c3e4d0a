// Ends a connection that is silent for too long or outlives its timeout. Each received chunk only notes the time; a
// single timer checks it, so that busy watches set no timers.

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

  /** Sets the limit of silence from now on. */
  allow(silenceMs: number): void {
    this.#silenceMs = silenceMs
    this.#cancelLook()
    this.heard()
    this.#cancelLook = this.#clock.setTimer(silenceMs, () => this.#look())
  }

  /** Ends the connection after this time even if bytes arrive: a server that only trickles bytes counts as dead. */
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
    // If the clock was set back, the timer still fires within the limit.
    else this.#cancelLook = this.#clock.setTimer(Math.min(left, this.#silenceMs), () => this.#look())
  }
}
