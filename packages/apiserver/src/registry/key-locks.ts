// Locks keys: one write per key is in flight, and a second one waits and then decides on committed state.
// The number of waiting writes is bounded; beyond it a write is refused with 429.

import { tooManyRequests } from '@homeostat/meta/server'

export class KeyLocks {
  /** The waiting writers of each held key; undefined, as it nearly always is, when none waits. */
  readonly #held = new Map<string, (() => void)[] | undefined>()
  readonly #maxWaiting: number
  #waiting = 0

  constructor(maxWaiting = 1024) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs the work under the key's lock. */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const others = this.take(key)
    if (others !== undefined) await others
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  /** Locks the key without a promise if it is free; else returns a promise of the lock. The caller must `release` it. */
  take(key: string): Promise<void> | undefined {
    if (this.#held.has(key)) return this.#wait(key)
    this.#held.set(key, undefined)
    return undefined
  }

  /** Passes the lock to the next waiting writer, or frees the key. */
  release(key: string): void {
    const next = this.#held.get(key)?.shift()
    if (next) next()
    else this.#held.delete(key)
  }

  #wait(key: string): Promise<void> {
    if (this.#waiting >= this.#maxWaiting) {
      throw tooManyRequests(`${this.#waiting} writes are waiting for objects that are being written (one is ${key})`, 1)
    }
    this.#waiting++
    const queue = this.#held.get(key) ?? []
    this.#held.set(key, queue)
    return new Promise((resolve) =>
      queue.push(() => {
        this.#waiting--
        resolve()
      }),
    )
  }
}
