// Reconciles the keys of a queue with several workers, each key by one worker at a time, and retries failures with backoff.
// The controllers of the server and of the colony are this loop around a reconcile, which reads current state.

import { Backoff } from './backoff.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Log } from './log.ts'
import { TimeSlice } from './time-slice.ts'
import { type Priority, WorkQueue } from './work-queue.ts'

export interface ControlLoopOptions {
  /** Of the controller, for the log. */
  readonly name: string
  readonly log: Log
  /** Default: the system's. */
  readonly clock?: Clock | undefined
  /** Keys worked on at the same time. Default 8. */
  readonly workers?: number
}

/** Waits in ms between tries of a key that failed. */
const RETRY = { min: 5, max: 30_000 }
/** Milliseconds after which the loop yields to other work of the process. */
const SLICE_MS = 3

export class ControlLoop {
  readonly #clock: Clock
  readonly #queue: WorkQueue<string>
  readonly #backoff = new Backoff<string>(RETRY)
  readonly #options: ControlLoopOptions
  readonly #slice = new TimeSlice(SLICE_MS)

  constructor(options: ControlLoopOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#queue = new WorkQueue(this.#clock)
  }

  add(key: string, priority?: Priority): void {
    this.#queue.add(key, priority)
  }

  addAfter(key: string, ms: number): void {
    this.#queue.addAfter(key, ms)
  }

  /** Queues the key at a time of the clock, behind fresh ones. Replaces an earlier such time of the key. */
  addAt(key: string, time: number): void {
    this.#queue.cancelDelay(key)
    this.#queue.addAfter(key, time - this.#clock.now(), 'low')
  }

  /** The object is gone: neither its time nor its failures count any more. */
  forget(key: string): void {
    this.#queue.cancelDelay(key)
    this.#backoff.forget(key)
  }

  /** Runs until the signal ends it. Resolves when the last reconcile has ended; never rejects. */
  async run(reconcile: (key: string) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { workers = 8 } = this.#options
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
      // Without it the loop would hold the event loop for all keys whose reconcile does nothing.
      await this.#slice.next()
    }
  }

  #retry(key: string, error: unknown): void {
    const wait = this.#backoff.next(key)
    this.#queue.addAfter(key, wait)
    if (isConflict(error)) return
    const { name, log } = this.#options
    log.error({ err: error, controller: name, key, retryInMs: Math.round(wait) }, 'reconcile failed')
  }
}

/** A conflict is not a failure: another writer was first, and the retry reads its write. Recognised by the reason. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === 'Conflict'
}
