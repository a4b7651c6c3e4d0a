// Notices that this process did not run for a while: it was stopped, its machine slept or was frozen, or its clock was
// set. It received nothing meanwhile, so code that acts on the silence of others calls `look` first and restarts its timeouts.

import type { Clock } from './clock.ts'

export interface PauseWatchOptions {
  readonly clock: Clock
  /** How often the process looks whether it runs. Default 1 s. */
  readonly everyMs?: number
  /** A longer gap between two looks is a pause. Default 5 s. */
  readonly longestMs?: number
  /** Called before the `look` that found the pause returns, with its length by the clock that noticed it. */
  onPause(ms: number): void
}

export class PauseWatch {
  readonly #options: PauseWatchOptions
  readonly #everyMs: number
  readonly #longestMs: number
  #wall: number
  #monotonic: number
  #cancel: () => void = () => {}
  #closed = false

  constructor(options: PauseWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? 1000
    this.#longestMs = options.longestMs ?? 5000
    this.#wall = options.clock.now()
    this.#monotonic = this.#uptime()
    this.#arm()
  }

  /**
   * True when there was a pause since the last look. After a SIGSTOP the timers of all come due at once, in any order: this
   * tells the pause also to one that comes before our own.
   */
  look(): boolean {
    const [wall, monotonic] = [this.#options.clock.now(), this.#uptime()]
    // In a suspend the monotonic clock stands still and only the wall clock jumps; one that was set may jump back.
    const ms = Math.max(Math.abs(wall - this.#wall), monotonic - this.#monotonic)
    this.#wall = wall
    this.#monotonic = monotonic
    if (ms <= this.#longestMs) return false
    this.#options.onPause(ms)
    return true
  }

  close(): void {
    this.#closed = true
    this.#cancel()
  }

  #uptime(): number {
    const { clock } = this.#options
    return clock.uptime?.() ?? clock.now()
  }

  #arm(): void {
    this.#cancel = this.#options.clock.setTimer(this.#everyMs, () => {
      this.look()
      if (!this.#closed) this.#arm()
    })
  }
}
