// How this server learns what the other servers of a shared store have written. Reads without a resourceVersion, and writes before
// they are refused, wait until the cache shows it. A server that is alone on its store has none.

import type { Clock } from '@homeostat/base'
import { messageOf } from '@homeostat/base'
import { timeout } from '@homeostat/meta/server'
import type { Revision, StoreReads } from '@homeostat/store'
import type { WatchCache } from '../cache/watch-cache.ts'

/** How long a request waits for the store to say how far it is, and for the cache to follow. */
const PATIENCE_MS = 10_000
/** Rights, tokens and rules of admission are applied as they were known to be at most so long ago. */
const RECENT_MS = 1000

export class Freshness {
  readonly #store: Pick<StoreReads, 'revision'>
  readonly #cache: WatchCache
  readonly #clock: Clock
  /** The question that is asked at the end of this turn of the event loop: everybody who comes before it is asked shares it. */
  #next: Promise<void> | undefined
  /** When the newest answered question was asked. */
  #confirmed = Number.NEGATIVE_INFINITY

  constructor(store: Pick<StoreReads, 'revision'>, cache: WatchCache, clock: Clock) {
    this.#store = store
    this.#cache = cache
    this.#clock = clock
  }

  /** Resolves when the cache shows every write that anybody was told of before the call. Rejects with 504. */
  newest(): Promise<void> {
    this.#next ??= endOfTurn().then(() => {
      this.#next = undefined
      return this.#ask()
    })
    return this.#next
  }

  /** Resolves when the cache is known to be no older than a second; undefined if it is. */
  recent(): Promise<void> | undefined {
    return this.#uptime() - this.#confirmed <= RECENT_MS ? undefined : this.newest()
  }

  /** Resolves when the cache shows the revision. Rejects with 504. */
  shows(revision: Revision): Promise<void> | undefined {
    const behind = this.#cache.reached(revision)
    return behind && this.#inTime(behind, 'the newest changes have not reached this server in time')
  }

  async #ask(): Promise<void> {
    const asked = this.#uptime()
    const revision = await this.#inTime(this.#store.revision(), 'the store did not say in time how far it is')
    const behind = this.shows(revision)
    if (behind !== undefined) await behind
    this.#confirmed = Math.max(this.#confirmed, asked)
  }

  #uptime(): number {
    return this.#clock.uptime?.() ?? this.#clock.now()
  }

  async #inTime<T>(work: Promise<T>, late: string): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const cancel = this.#clock.setTimer(PATIENCE_MS, () => reject(new Error(late)))
    try {
      return await Promise.race([work, promise])
    } catch (error) {
      throw timeout(messageOf(error), 1)
    } finally {
      cancel()
    }
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
