// The watch cache: all current objects in memory, loaded once and then updated only by the store's change stream. A write
// is answered only after it is visible here.

import { type Clock, pause, systemClock } from '@homeostat/base'
import { type Change, type Entry, isCompactedError, type StoreChanges, type StoreReads } from '@homeostat/store'
import { CachedObject } from './cached-object.ts'
import type { CachedChange } from './change-ring.ts'
import { loadObjects } from './load-objects.ts'
import { splitKey, splitKeyForGood } from './object-key.ts'
import { ObjectTree } from './object-tree.ts'
import { ResourceCache } from './resource-cache.ts'

export type BatchListener = (changes: ReadonlyMap<ResourceCache, readonly CachedChange[]>) => void

const RETRY_MS = 200

export class WatchCache {
  readonly #resources = new Map<string, ResourceCache>()
  readonly #listeners = new Set<BatchListener>()
  readonly #waiting: { revision: number; resolve: () => void; reject: (error: Error) => void }[] = []
  #revision: number
  /** Set when the change stream broke: the cache may be stale from then on. */
  #failure: Error | undefined
  #trouble: Error | undefined

  private constructor(revision: number) {
    this.#revision = revision
  }

  static async load(store: StoreReads): Promise<WatchCache> {
    const { revision, resources } = await loadObjects(store)
    const cache = new WatchCache(revision)
    for (const [storage, objects] of resources) {
      cache.#resources.set(storage, new ResourceCache(storage, ObjectTree.fromSorted(objects), revision))
    }
    return cache
  }

  /**
   * Follows the store until the signal aborts. It retries while changes cannot be read, and rejects when they are no longer
   * kept.
   */
  async follow(store: StoreChanges, signal: AbortSignal, clock: Clock = systemClock): Promise<void> {
    try {
      for (let ended = false; !ended; ) ended = await this.#followOnce(store, signal, clock)
    } catch (error) {
      this.fail(error as Error)
      throw error
    }
  }

  /** False when the stream has to be opened again. */
  async #followOnce(store: StoreChanges, signal: AbortSignal, clock: Clock): Promise<boolean> {
    const changes = store.changes(this.#revision, signal, { previous: false })[Symbol.asyncIterator]()
    for (;;) {
      let next: IteratorResult<readonly Change[], void>
      try {
        next = await changes.next()
      } catch (error) {
        if (isCompactedError(error)) throw error
        this.#trouble = error as Error
        await pause(clock, RETRY_MS, signal)
        return signal.aborted
      }
      if (next.done) return true
      this.#trouble = undefined
      this.#apply(next.value)
    }
  }

  /** The newest revision seen. */
  get revision(): number {
    return this.#revision
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  /** For a check that finds the cache wrong: health checks fail from now on. */
  fail(error: Error): void {
    this.#failure = error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** The error that keeps the newest changes from being read, while it lasts. */
  get trouble(): Error | undefined {
    return this.#trouble
  }

  /** Every resource that has had objects. */
  get resources(): Iterable<ResourceCache> {
    return this.#resources.values()
  }

  resource(storage: string): ResourceCache {
    let cache = this.#resources.get(storage)
    if (!cache) {
      cache = new ResourceCache(storage, new ObjectTree(), this.#revision)
      this.#resources.set(storage, cache)
    }
    return cache
  }

  /** Notifies the listener of every committed batch, by resource. */
  subscribe(listener: BatchListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves once every change up to the revision is visible; rejects when the stream has broken for good before. */
  reached(revision: number): Promise<void> | undefined {
    if (this.#revision >= revision) return undefined
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => this.#waiting.push({ revision, resolve, reject }))
  }

  #apply(changes: readonly Change[]): void {
    const byResource = new Map<ResourceCache, CachedChange[]>()
    for (const change of changes) {
      const [storage, name] = splitKeyForGood(change.key)
      const resource = this.resource(storage)
      const previous = resource.tree.get(name)
      const object = change.op === 'put' ? fromChange(change, name) : undefined
      const cached = { revision: change.revision, note: change.note, object, previous }
      resource.apply(cached)
      if (object) resource.recent?.arrived(object, change.value)
      const list = byResource.get(resource)
      if (list) list.push(cached)
      else byResource.set(resource, [cached])
    }
    this.#revision = changes.at(-1)?.revision ?? this.#revision
    for (const [resource, list] of byResource) resource.publish(list)
    for (const listener of this.#listeners) listener(byResource)
    this.#wake()
  }

  #wake(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiter = this.#waiting[i]
      if (!waiter || waiter.revision > this.#revision) continue
      this.#waiting.splice(i, 1)
      waiter.resolve()
    }
  }
}

/** The cached object of an entry of the store. */
export function fromEntry(entry: Entry, name: string): CachedObject {
  if (!entry.value) return CachedObject.damaged(entry.key, name, entry.revision, entry.damage ?? 'unreadable')
  return CachedObject.fromValue(entry.key, name, entry.revision, entry.value)
}

function fromChange(change: Change, name: string): CachedObject {
  if (!change.value) return CachedObject.damaged(change.key, name, change.revision, change.damage ?? 'unreadable')
  return CachedObject.fromValue(change.key, name, change.revision, change.value)
}

export function historicChange(change: Change): CachedChange & { readonly storage: string } {
  const [storage, name] = splitKey(change.key)
  const previous = change.previous
  return {
    storage,
    revision: change.revision,
    note: change.note,
    object: change.op === 'put' ? fromChange(change, name) : undefined,
    previous: previous ? fromEntry(previous, name) : undefined,
  }
}
