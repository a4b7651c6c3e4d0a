// Works off a queue of keys: every controller inside the server is this loop around its own reconcile.

import { Backoff, type Clock, type Log, systemClock, TimeSlice, WorkQueue } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

interface ControlLoopOptions {
  readonly name: string
  readonly log: Log
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Keys worked on at the same time. Default 8. */
  readonly workers?: number
}

/** Waits in ms between tries of a key that failed. */
const RETRY = { min: 5, max: 30_000 }
/** Milliseconds after which other work of the process gets its turn. */
const SLICE_MS = 3

export class ControlLoop {
  readonly queue: WorkQueue<string>
  readonly #backoff = new Backoff<string>(RETRY)
  readonly #options: ControlLoopOptions
  readonly #slice = new TimeSlice(SLICE_MS)

  constructor(options: ControlLoopOptions) {
    this.#options = options
    this.queue = new WorkQueue(options.clock ?? systemClock)
  }

  /** Runs until the signal ends it. Resolves when the last reconcile has ended; never rejects. */
  async run(reconcile: (key: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { workers = 8 } = this.#options
    await Promise.all(Array.from({ length: workers }, () => this.#work(reconcile, signal)))
    this.queue.close()
  }

  async #work(reconcile: (key: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let key = await this.queue.take(signal); key !== undefined; key = await this.queue.take(signal)) {
      try {
        await reconcile(key)
        this.#backoff.forget(key)
      } catch (error) {
        if (!signal.aborted) this.#retry(key, error)
      }
      this.queue.done(key)
      // Keys that need nothing would otherwise be gone through in one go, however many there are.
      await this.#slice.next()
    }
  }

  /** A conflict is no failure: somebody else wrote first, and the next try reads what they wrote. */
  #retry(key: string, error: unknown): void {
    const wait = this.#backoff.next(key)
    this.queue.addAfter(key, wait)
    if (isStatusError(error, 'Conflict')) return
    const { name, log } = this.#options
    log.error({ err: error, controller: name, key, retryInMs: Math.round(wait) }, 'reconcile failed')
  }
}
