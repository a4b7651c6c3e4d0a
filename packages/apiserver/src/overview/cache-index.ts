// The counts of all resources of a cache, made once and then kept by its changes. Closing forgets them.

import { TimeSlice } from '@homeostat/base'
import type { CachedChange } from '../cache/change-ring.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import { KindCounts } from './kind-counts.ts'

export class CacheIndex {
  readonly #counts = new Map<ResourceCache, KindCounts>()
  readonly #cache: WatchCache
  readonly #stop: () => void
  /** The resource that is being counted, with the changes that its snapshot does not have. */
  #counting: { readonly resource: ResourceCache; readonly changes: CachedChange[] } | undefined
  #isLoaded = false
  #isClosed = false

  constructor(cache: WatchCache) {
    this.#cache = cache
    this.#stop = cache.subscribe((changes) => {
      for (const [resource, list] of changes) this.#take(resource, list)
    })
  }

  /** Counts everything, yielding to the event loop. */
  async load(): Promise<void> {
    const slice = new TimeSlice()
    // Also comes to resources that get their first objects meanwhile.
    for (const resource of this.#cache.resources) {
      const counts = new KindCounts()
      const changes: CachedChange[] = []
      this.#counting = { resource, changes }
      for (const object of resource.tree.snapshot().objects()) {
        counts.add(object)
        const others = slice.next()
        if (others !== undefined) await others
        if (this.#isClosed) return
      }
      for (const change of changes) counts.apply(change)
      this.#counting = undefined
      this.#counts.set(resource, counts)
    }
    this.#isLoaded = true
  }

  /** Undefined for a resource that has never had objects. */
  of(resource: ResourceCache): KindCounts | undefined {
    return this.#counts.get(resource)
  }

  close(): void {
    this.#isClosed = true
    this.#stop()
  }

  #take(resource: ResourceCache, changes: readonly CachedChange[]): void {
    if (this.#counting?.resource === resource) this.#counting.changes.push(...changes)
    let counts = this.#counts.get(resource)
    if (counts === undefined && this.#isLoaded) {
      counts = new KindCounts()
      this.#counts.set(resource, counts)
    }
    if (counts !== undefined) for (const change of changes) counts.apply(change)
  }
}
