// Attempts to acquire or renew, at an interval with jitter, until they are closed; each ends in time to have another. The
// elector and the shards run one loop of them. A failure is logged once, until an attempt succeeds again.

import type { Clock, Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

export interface AttemptsOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly retryMs: number
  /** An attempt that takes longer is aborted. */
  readonly limitMs: number
  readonly log: Pick<Log, 'warn'>
  /** The name of the Lease, for the log. */
  readonly lease: string
  attempt(signal: AbortSignal): Promise<void>
}

const JITTER = 0.2

export class Attempts {
  readonly #options: AttemptsOptions
  readonly #ended = new AbortController()
  readonly #running: Promise<void>
  #endPause: (() => void) | undefined
  #woken = false
  #troubled = false

  constructor(options: AttemptsOptions) {
    this.#options = options
    this.#running = this.#loop()
  }

  /** Aborts when the attempts are closed. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** Starts the next attempt now; while one is under way, right after it. */
  wake(): void {
    this.#woken = true
    this.#endPause?.()
  }

  /** Calls `work` with a signal that aborts in time. Only a last request goes on after `close`. */
  async limited<T>(work: (signal: AbortSignal) => Promise<T>, isLast = false): Promise<T> {
    const { clock, limitMs } = this.#options
    const limit = new AbortController()
    const cancel = clock.setTimer(limitMs, () => limit.abort(new Error('the API server does not answer')))
    try {
      return await work(isLast ? limit.signal : AbortSignal.any([limit.signal, this.#ended.signal]))
    } finally {
      cancel()
    }
  }

  /** Resolves when the last attempt has ended. */
  async close(): Promise<void> {
    this.#ended.abort(new Error('leader election was closed'))
    await this.#running
  }

  async #loop(): Promise<void> {
    // The constructor of the owner returns first.
    await null
    while (!this.#ended.signal.aborted) {
      this.#woken = false
      await this.#try()
      if (!this.#woken) await this.#pause()
    }
  }

  async #try(): Promise<void> {
    try {
      await this.limited((signal) => this.#options.attempt(signal))
      this.#troubled = false
    } catch (error) {
      // Lost the race: another process wrote after this one read. The next attempt reads the Lease again.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'AlreadyExists')) return
      if (this.#ended.signal.aborted) return
      const { log, lease } = this.#options
      if (!this.#troubled) log.warn({ err: error, lease }, 'the lease could not be renewed or taken; it is tried again')
      this.#troubled = true
    }
  }

  #pause(): Promise<void> {
    const { clock, random, retryMs } = this.#options
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#ended.signal.removeEventListener('abort', end)
        this.#endPause = undefined
        resolve()
      }
      const cancel = clock.setTimer(retryMs * (1 + JITTER * random()), end)
      this.#endPause = end
      this.#ended.signal.addEventListener('abort', end)
      if (this.#ended.signal.aborted) end()
    })
  }
}
