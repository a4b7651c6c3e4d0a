// Works off a queue of keys, several at a time, each by one worker; a key that failed comes again after a pause. The
// controllers of the colony are this loop around a reconcile that reads current state.

import { Backoff, type Clock, type Log, type Priority, TimeSlice, WorkQueue } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'

export interface KeyLoopParts {
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /** Keys worked on at the same time. Default 8. */
  readonly workers?: number
}

/** Waits in ms between tries of a key that failed. */
const RETRY = { min: 50, max: 30_000 }
/** Milliseconds after which other work of the process gets its turn. */
const SLICE_MS = 8

export class KeyLoop {
  readonly #parts: KeyLoopParts
  readonly #queue: WorkQueue<string>
  readonly #backoff = new Backoff<string>(RETRY)
  readonly #slice = new TimeSlice(SLICE_MS)

  constructor(parts: KeyLoopParts) {
    this.#parts = parts
    this.#queue = new WorkQueue(parts.clock)
  }

  add(key: string, priority?: Priority): void {
    this.#queue.add(key, priority)
  }

  /** Instead of an earlier such time of the key. */
  addAt(key: string, time: number): void {
    this.#queue.cancelDelay(key)
    this.#queue.addAfter(key, time - this.#parts.clock.now(), 'low')
  }

  /** The object is gone: neither its time nor its failures count any more. */
  forget(key: string): void {
    this.#queue.cancelDelay(key)
    this.#backoff.forget(key)
  }

  /** Resolves when the signal has ended it and the last reconcile is done; never rejects. */
  async run(reconcile: (key: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { workers = 8 } = this.#parts
    await Promise.all(Array.from({ length: workers }, () => this.#work(reconcile, signal)))
    this.#queue.close()
  }

  async #work(reconcile: (key: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (let key = await this.#queue.take(signal); key !== undefined; key = await this.#queue.take(signal)) {
      try {
        await reconcile(key)
        this.#backoff.forget(key)
      } catch (error) {
        if (!signal.aborted) this.#retry(key, error)
      }
      this.#queue.done(key)
      await this.#slice.next()
    }
  }

  /** A conflict is no failure: somebody else wrote first, and the next try reads what they wrote. */
  #retry(key: string, error: unknown): void {
    const wait = this.#backoff.next(key)
    this.#queue.addAfter(key, wait)
    if (isStatusError(error, 'Conflict')) return
    const { name, log } = this.#parts
    log.warn({ err: error, controller: name, key, retryInMs: Math.round(wait) }, 'reconcile failed')
  }
}
