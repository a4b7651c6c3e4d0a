// The time in which this process may act, because a Lease that it holds was renewed not long ago. The elector and the shards
// extend it with each renewal. It reads the clock instead of trusting a timer: a process that was paused must not act before
// its timers have run.

import { type Clock, PauseWatch, Waiters } from '@homeostat/base'
import { longestSince, type Moment, momentOf } from './moment.ts'

export interface TermOptions {
  readonly clock: Clock
  /** The term ends this long after the last renewal began. */
  readonly renewMs: number
  /** How long others wait; more than `renewMs`. */
  readonly leaseMs: number
  readonly retryMs: number
  /** Called after a pause of this process, before the term is judged. */
  onResume?(): void
  onLost(why: string): void
}

export const LATE = 'the lease could not be renewed in time'

export class Term {
  readonly #options: TermOptions
  readonly #pauses: PauseWatch
  readonly #waiting = new Waiters()
  #current: AbortController | undefined
  #since: Moment = { wall: 0, uptime: 0 }
  #cancelDeadline: (() => void) | undefined
  #closed: Error | undefined

  constructor(options: TermOptions) {
    const { clock, leaseMs, renewMs, retryMs } = options
    if (!(retryMs > 0 && retryMs < renewMs && renewMs < leaseMs)) {
      throw new Error(
        `a lease needs retry < renew < lease, for example 2000, 10000 and 15000 ms; it has ${retryMs}, ${renewMs} and ${leaseMs}`,
      )
    }
    this.#options = options
    this.#pauses = new PauseWatch({
      clock,
      everyMs: retryMs / 2,
      // A process paused for this long still gives up before the lease expires for the others.
      longestMs: Math.max((leaseMs - renewMs) / 2, retryMs / 2),
      onPause: () => {
        options.onResume?.()
        this.#endIfLate()
      },
    })
  }

  get isActive(): boolean {
    this.#endIfLate()
    return this.#current !== undefined
  }

  /** Looks for a pause that no timer has reported yet. Call it before each attempt. */
  look(): void {
    this.#pauses.look()
  }

  /** Begins or extends the term. `since` is when the renewal began: the server may have stored it at any time after that. */
  hold(since: Moment): 'begun' | 'extended' | 'late' {
    this.#cancelDeadline?.()
    this.#since = since
    const { clock, renewMs } = this.#options
    const left = renewMs - longestSince(since, momentOf(clock))
    // The process was paused before it read the response.
    if (left <= 0) {
      this.end(LATE)
      return 'late'
    }
    this.#cancelDeadline = clock.setTimer(left, () => this.#endIfLate())
    if (this.#current) return 'extended'
    this.#current = new AbortController()
    this.#waiting.notify()
    return 'begun'
  }

  end(why: string): void {
    this.#cancelDeadline?.()
    const term = this.#current
    if (!term) return
    this.#current = undefined
    term.abort(new Error(`no longer the leader: ${why}`))
    this.#options.onLost(why)
  }

  /** Waits until the term begins. The returned signal aborts when it ends. */
  async wait(signal?: AbortSignal): Promise<AbortSignal> {
    for (;;) {
      signal?.throwIfAborted()
      if (this.#closed) throw this.#closed
      if (this.isActive && this.#current) return this.#current.signal
      await this.#waiting.wait(signal)
    }
  }

  close(reason: Error): void {
    this.#closed = reason
    this.#pauses.close()
    this.end('the operator ends')
    this.#waiting.notify()
  }

  #endIfLate(): void {
    const { clock, renewMs } = this.#options
    if (this.#current && longestSince(this.#since, momentOf(clock)) >= renewMs) this.end(LATE)
  }
}
