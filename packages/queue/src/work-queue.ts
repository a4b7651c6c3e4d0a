// Gives each key to one worker at a time and remembers keys that were added while busy.
// Controllers call it. It holds no objects, so that a retry always reads fresh state; a key is held once, so it is
// never larger than the number of objects.

import { type Clock, systemClock } from './clock.ts'

/** Keys are compared as a Set compares them: use strings or numbers. */
export class WorkQueue<K> {
  readonly #clock: Clock
  readonly #queued = new Set<K>()
  readonly #busy = new Set<K>()
  readonly #again = new Set<K>()
  readonly #delayed = new Map<K, { readonly due: number; cancel(): void }>()
  readonly #waiting = new Set<(key: K | undefined) => void>()
  #closed = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Keys that wait for a worker; those in work or delayed do not count. */
  get size(): number {
    return this.#queued.size
  }

  /** Queues the key. A queued key stays once; a busy key is queued again when its work ends. */
  add(key: K): void {
    if (this.#closed) return
    if (this.#busy.has(key)) this.#again.add(key)
    else this.#enqueue(key)
  }

  /** Adds the key after a time. Of several delays for one key the earliest counts. */
  addAfter(key: K, ms: number): void {
    if (this.#closed) return
    if (!(ms > 0)) {
      this.add(key)
      return
    }
    const due = this.#clock.now() + ms
    const earlier = this.#delayed.get(key)
    if (earlier && earlier.due <= due) return
    earlier?.cancel()
    const cancel = this.#clock.setTimer(ms, () => {
      this.#delayed.delete(key)
      this.add(key)
    })
    this.#delayed.set(key, { due, cancel })
  }

  /** Waits for a key; undefined once closed and drained, or when the signal ends the wait. */
  take(signal?: AbortSignal): Promise<K | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined)
    for (const key of this.#queued) {
      this.#queued.delete(key)
      this.#busy.add(key)
      return Promise.resolve(key)
    }
    if (this.#drained) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const settle = (key: K | undefined) => {
        this.#waiting.delete(settle)
        signal?.removeEventListener('abort', onAbort)
        resolve(key)
      }
      const onAbort = () => settle(undefined)
      signal?.addEventListener('abort', onAbort)
      this.#waiting.add(settle)
    })
  }

  /** Ends the work on a key. */
  done(key: K): void {
    if (!this.#busy.delete(key)) return
    if (this.#again.delete(key)) this.#enqueue(key)
    if (this.#drained) this.#release()
  }

  /** Takes no more keys and drops delayed ones. What is queued, or added while busy, is still handed out. */
  close(): void {
    this.#closed = true
    for (const delayed of this.#delayed.values()) delayed.cancel()
    this.#delayed.clear()
    if (this.#drained) this.#release()
  }

  get #drained(): boolean {
    return this.#closed && this.#queued.size === 0 && this.#again.size === 0
  }

  #enqueue(key: K): void {
    for (const settle of this.#waiting) {
      this.#busy.add(key)
      settle(key)
      return
    }
    this.#queued.add(key)
  }

  #release(): void {
    for (const settle of [...this.#waiting]) settle(undefined)
  }
}
