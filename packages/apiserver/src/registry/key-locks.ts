// One write in flight per key: a second write to the same key waits, and then decides on committed state.
// Waiting is bounded; beyond it a writer is told to come back.

import { tooManyRequests } from '@homeostat/meta'

export class KeyLocks {
  /** Who waits for each key that is held; nearly always nobody. */
  readonly #held = new Map<string, (() => void)[] | undefined>()
  readonly #maxWaiting: number
  #waiting = 0

  constructor(maxWaiting = 1024) {
    this.#maxWaiting = maxWaiting
  }

  /** Runs the work when no other work holds the key. */
  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    const others = this.take(key)
    if (others !== undefined) await others
    try {
      return await work()
    } finally {
      this.release(key)
    }
  }

  /** Takes the key, for those in a hurry; a promise of it when somebody else has it. Then it is to be released. */
  take(key: string): Promise<void> | undefined {
    if (this.#held.has(key)) return this.#wait(key)
    this.#held.set(key, undefined)
    return undefined
  }

  /** Hands the key to the next in line, or lets it go. */
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
