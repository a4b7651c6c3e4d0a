// Compares the cache with a shared store, page by page at the revision that the cache has just then. The server runs it every few
// minutes: a change that was lost or applied twice on the way would otherwise stay unseen. It never writes.

import { type Clock, type Metric, messageOf, Numbers, pause } from '@homeostat/base'
import { compareKeys, type Entry, type StoreReads } from '@homeostat/store'
import type { CachedObject } from './cached-object.ts'
import type { WatchCache } from './watch-cache.ts'

export interface ConsistencyCheckParts {
  readonly store: Pick<StoreReads, 'range'>
  readonly cache: WatchCache
  readonly clock: Clock
  /** Called when a round could not be finished; the next one comes as usual. */
  failed(reason: string): void
}

const EVERY_MS = 5 * 60_000
const PAGE = 500
/** Between pages, so that a round costs the store and the event loop little at a time. */
const REST_MS = 50

export class ConsistencyCheck {
  readonly #parts: ConsistencyCheckParts
  readonly #rounds = new Numbers('counter', {
    name: 'homeostat_cache_checks_total',
    help: 'Comparisons of the whole cache with the store, by result: same, different, or failed.',
    labels: ['result'],
  })
  readonly #objects = new Numbers('counter', {
    name: 'homeostat_cache_checked_objects_total',
    help: 'Objects that were compared.',
  })
  readonly metrics: readonly Metric[] = [this.#rounds, this.#objects]

  constructor(parts: ConsistencyCheckParts) {
    this.#parts = parts
    for (const result of ['same', 'different', 'failed']) this.#rounds.child(result)
  }

  /** Resolves with what differs, or with undefined when the signal ends. */
  async run(signal: AbortSignal): Promise<string | undefined> {
    for (;;) {
      await pause(this.#parts.clock, EVERY_MS, signal)
      if (signal.aborted) return undefined
      const difference = await this.#round(signal)
      if (difference !== undefined) return difference
    }
  }

  async #round(signal: AbortSignal): Promise<string | undefined> {
    const { store, cache, clock } = this.#parts
    let after: string | undefined = ''
    try {
      while (after !== undefined) {
        if (signal.aborted) return undefined
        const { revision } = cache
        const cached = objectsAfter(cache, after, PAGE)
        const { entries } = await store.range('', { after, limit: PAGE, revision })
        const difference = firstDifference(cached, entries)
        if (difference !== undefined) {
          this.#rounds.child('different').add()
          return `${difference}, at revision ${revision}`
        }
        this.#objects.child().add(cached.length)
        after = cached.length < PAGE ? undefined : cached.at(-1)?.key
        if (after !== undefined) await pause(clock, REST_MS, signal)
      }
      this.#rounds.child('same').add()
    } catch (error) {
      this.#rounds.child('failed').add()
      this.#parts.failed(messageOf(error))
    }
    return undefined
  }
}

/** The next objects of all kinds after a key, in the store's order. */
function objectsAfter(cache: WatchCache, after: string, limit: number): CachedObject[] {
  const found: CachedObject[] = []
  const prefixes = [...cache.resources].map((resource) => ({ prefix: `${resource.storage}/`, tree: resource.tree }))
  for (const { prefix, tree } of prefixes.sort((a, b) => compareKeys(a.prefix, b.prefix))) {
    const isInside = after.startsWith(prefix)
    if (!isInside && compareKeys(prefix, after) < 0) continue
    for (const object of tree.objects('', isInside ? after.slice(prefix.length) : '')) {
      if (object.key === after) continue
      if (found.length === limit) return found
      found.push(object)
    }
  }
  return found
}

function firstDifference(cached: readonly CachedObject[], entries: readonly Entry[]): string | undefined {
  for (let i = 0; i < Math.max(cached.length, entries.length); i++) {
    const object = cached[i]
    const entry = entries[i]
    if (object?.key !== entry?.key) {
      const isOnlyCached = entry === undefined || (object !== undefined && compareKeys(object.key, entry.key) < 0)
      return isOnlyCached ? `the store has no ${object?.key}` : `the cache has no ${entry.key}`
    }
    if (object === undefined || entry === undefined) continue
    if (object.revision !== entry.revision)
      return `${entry.key} is of revision ${object.revision} in the cache, of ${entry.revision} in the store`
    if (!hasSameBytes(object, entry)) return `${entry.key} has other content in the cache than in the store`
  }
  return undefined
}

function hasSameBytes(object: CachedObject, { value, revision }: Entry): boolean {
  if (value === undefined || object.damage !== undefined) return (value === undefined) === (object.damage !== undefined)
  const { bytes } = object.stored
  const digits = String(revision).length
  if (bytes.length !== value.bytes.length + digits) return false
  return (
    bytes.compare(value.bytes, 0, value.gap, 0, value.gap) === 0 &&
    bytes.compare(value.bytes, value.gap, value.bytes.length, value.gap + digits, bytes.length) === 0
  )
}
