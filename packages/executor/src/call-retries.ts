// The backoff of each kind of call after a failure. The first failure in a row is logged as a warning, the others as debug.

import { Backoff, type Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

export type CallKind = 'register' | 'poll' | 'report' | 'heartbeat'

export class CallRetries {
  readonly #log: Log
  readonly #backoff: Backoff<CallKind>

  constructor(log: Log, random: () => number) {
    this.#log = log
    this.#backoff = new Backoff({ min: 250, max: 10_000, jitter: 0.5, random })
  }

  succeeded(call: CallKind): void {
    this.#backoff.forget(call)
  }

  warn(call: CallKind, error: unknown): void {
    const hint = call === 'register' && isStatusError(error, 'NotFound') ? '; is this a server with a colony?' : ''
    const message = `a call (${call}) did not succeed; it is tried again${hint}`
    if (this.#backoff.failures(call) === 0) this.#log.warn({ err: error }, message)
    else this.#log.debug({ err: error }, message)
  }

  /** Milliseconds until the next try. */
  next(call: CallKind): number {
    return this.#backoff.next(call)
  }
}
