// Gives each key to one worker at a time and remembers keys that were added while busy.
// Controllers call it. It holds no objects, so that a retry always reads fresh state; a key is held once, so it is
// never larger than the number of objects.

import { type Clock, systemClock } from './clock.ts'

/** `low` keys are handed out when no `fresh` one waits: a key that just changed comes before a periodic recheck. */
export type Priority = 'fresh' | 'low'

interface Delay {
  readonly due: number
  cancel(): void
}

/** Keys are compared as a Set compares them: use strings or numbers. */
export class WorkQueue<K> {
  readonly #clock: Clock
  /** When each waiting key was added. */
  readonly #fresh = new Map<K, number>()
  readonly #low = new Map<K, number>()
  readonly #busy = new Set<K>()
  readonly #again = new Map<K, Priority>()
  readonly #delayed = new Map<K, Delay>()
  readonly #waiting = new Set<(key: K | undefined) => void>()
  #closed = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Keys that wait for a worker; those in work or delayed do not count. */
  get size(): number {
    return this.#fresh.size + this.#low.size
  }

  /** Keys in work. */
  get busy(): number {
    return this.#busy.size
  }

  /** Delayed keys. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** How long the key that waits longest has been waiting, in ms; 0 when none waits. Looks at all of them. */
  get oldestAge(): number {
    const now = this.#clock.now()
    let oldest = now
    for (const [, since] of this.waiting()) oldest = Math.min(oldest, since)
    return now - oldest
  }

  /** The keys that wait for a worker, and since when. */
  *waiting(): Iterable<readonly [key: K, since: number]> {
    yield* this.#fresh
    yield* this.#low
  }

  /**
   * Queues the key. A queued key stays once, and moves up when it waits as low and comes fresh; a busy key is queued
   * again when its work ends.
   */
  add(key: K, priority: Priority = 'fresh'): void {
    if (this.#closed) return
    if (!this.#busy.has(key)) this.#enqueue(key, priority)
    else if (this.#again.get(key) !== 'fresh') this.#again.set(key, priority)
  }

  /** Adds the key after a time. Of several delays for one key the earliest counts. */
  addAfter(key: K, ms: number, priority: Priority = 'fresh'): void {
    if (this.#closed) return
    if (!(ms > 0)) {
      this.add(key, priority)
      return
    }
    const due = this.#clock.now() + ms
    const earlier = this.#delayed.get(key)
    if (earlier && earlier.due <= due) return
    earlier?.cancel()
    const cancel = this.#clock.setTimer(ms, () => {
      this.#delayed.delete(key)
      this.add(key, priority)
    })
    this.#delayed.set(key, { due, cancel })
  }

  /** Whether the key is delayed. */
  isDelayed(key: K): boolean {
    return this.#delayed.has(key)
  }

  /** Forgets the delay of a key. One that is queued or in work stays so. */
  cancelDelay(key: K): void {
    this.#delayed.get(key)?.cancel()
    this.#delayed.delete(key)
  }

  /** Waits for a key; undefined once closed and drained, or when the signal ends the wait. */
  take(signal?: AbortSignal): Promise<K | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined)
    const waiting = this.#fresh.size > 0 ? this.#fresh : this.#low
    for (const key of waiting.keys()) {
      waiting.delete(key)
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
    const again = this.#again.get(key)
    this.#again.delete(key)
    if (again !== undefined) this.#enqueue(key, again)
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
    return this.#closed && this.size === 0 && this.#again.size === 0
  }

  #enqueue(key: K, priority: Priority): void {
    for (const settle of this.#waiting) {
      this.#busy.add(key)
      settle(key)
      return
    }
    if (this.#fresh.has(key)) return
    const since = this.#low.get(key) ?? this.#clock.now()
    if (priority === 'fresh') this.#low.delete(key)
    const waiting = priority === 'fresh' ? this.#fresh : this.#low
    if (!waiting.has(key)) waiting.set(key, since)
  }

  #release(): void {
    for (const settle of [...this.#waiting]) settle(undefined)
  }
}
