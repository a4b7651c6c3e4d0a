// The timeout of one reconcile. Its signal aborts first; a reconcile that ignores the signal is abandoned after a grace
// period. The controller starts one before it calls a behaviour.

import type { Clock } from '@homeostat/base'
import { type RunOutcome, thrownOutcome } from './run-outcome.ts'

interface TimeLimitOptions {
  /** Controls the signal of the reconcile. */
  readonly abort: AbortController
  /** Its abort also aborts the reconcile. */
  readonly outer: AbortSignal
  readonly timeout: number
  readonly clock: Clock
}

/** How long a behaviour may go on after its signal aborted. */
const GRACE_MS = 5000

export class TimeLimit {
  /** Resolves when the grace period has passed. */
  readonly over: Promise<'over'>
  readonly #options: TimeLimitOptions
  readonly #cancelTimeout: () => void
  #cancelGrace = () => {}

  constructor(options: TimeLimitOptions) {
    const { abort, outer, timeout, clock } = options
    this.#options = options
    if (outer.aborted) this.#onOuter()
    else outer.addEventListener('abort', this.#onOuter, { once: true })
    this.#cancelTimeout = clock.setTimer(timeout, () => {
      abort.abort(new Error(`the run took longer than its timeout of ${timeout} ms`))
    })
    this.over = new Promise((resolve) => {
      abort.signal.addEventListener('abort', () => {
        this.#cancelGrace = clock.setTimer(GRACE_MS, () => resolve('over'))
      })
    })
  }

  /** The outcome of the reconcile; `first` is the first of `working` and `over` to settle. */
  end(first: RunOutcome | 'over', working: Promise<RunOutcome>): RunOutcome {
    const { abort, outer } = this.#options
    outer.removeEventListener('abort', this.#onOuter)
    this.#cancelTimeout()
    this.#cancelGrace()
    const stuck = first === 'over' ? working.then(() => undefined) : undefined
    if (outer.aborted) return { result: 'aborted', error: outer.reason, stuck }
    if (abort.signal.aborted || first === 'over') return { ...thrownOutcome(abort.signal.reason), stuck }
    return first
  }

  readonly #onOuter = (): void => {
    const { abort, outer } = this.#options
    abort.abort(outer.reason)
  }
}
