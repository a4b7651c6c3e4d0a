// All watches of a server: groups those that want the same bytes, ends them at their deadline, and sends bookmarks.

import type { ResourceCache } from '../cache/resource-cache.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { ObjectFilter } from '../registry/object-filter.ts'
import type { EndReason, Watch, WatchGroupLink, WatchOwner } from './watch.ts'
import type { EventEncoder } from './watch-event.ts'
import { WatchGroup } from './watch-group.ts'

const TICK_MS = 1000
const BOOKMARK_MS = 60_000
/** A last bookmark this long before the end lets the client resume without a relist. */
const BOOKMARK_BEFORE_END_MS = 2000

export interface WatchObserver {
  opened(watch: Watch): void
  events(watch: Watch, count: number): void
  ended(watch: Watch, reason: EndReason): void
}

export class WatchHub implements WatchOwner {
  readonly #cache: WatchCache
  readonly #observer: WatchObserver
  readonly #watches = new Set<Watch>()
  readonly #groups = new Map<ResourceCache, Map<string, WatchGroup>>()
  readonly #nextBookmark = new Map<Watch, number>()
  readonly #timer: NodeJS.Timeout
  #closed = false

  constructor(cache: WatchCache, observer: WatchObserver) {
    this.#cache = cache
    this.#observer = observer
    this.#timer = setInterval(() => this.#tick(performance.now()), TICK_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#watches.size
  }

  add(watch: Watch): void {
    this.#watches.add(watch)
    this.#observer.opened(watch)
    // On a connection that outlives the watches: the client asks again elsewhere, from where it is.
    if (this.#closed) {
      watch.end('shutdown')
      return
    }
    // Jitter: a thousand watches that opened at once must not all get their bookmark in one tick.
    this.#nextBookmark.set(watch, performance.now() + BOOKMARK_MS * (0.75 + Math.random() / 4))
  }

  join(watch: Watch, filter: ObjectFilter, encoder: EventEncoder): WatchGroupLink {
    let groups = this.#groups.get(watch.resource)
    if (!groups) {
      groups = new Map()
      this.#groups.set(watch.resource, groups)
    }
    const key = `${encoder.key}|${filter.text}`
    let group = groups.get(key)
    if (!group) {
      group = new WatchGroup(watch.resource, filter, encoder, () => groups.delete(key))
      groups.set(key, group)
    }
    const leave = group.join(watch)
    const joined = group
    return { leave, isBehind: () => joined.isBehind }
  }

  onEvents(watch: Watch, count: number): void {
    this.#observer.events(watch, count)
  }

  onEnd(watch: Watch, reason: EndReason): void {
    this.#watches.delete(watch)
    this.#nextBookmark.delete(watch)
    this.#observer.ended(watch, reason)
  }

  /** Ends the watches of a resource whose definition was removed or shows its objects differently now. */
  endResource(resource: ResourceCache): void {
    for (const watch of [...this.#watches]) if (watch.resource === resource) watch.end('definition changed')
  }

  close(): void {
    clearInterval(this.#timer)
    this.#closed = true
    for (const watch of [...this.#watches]) watch.end('shutdown')
  }

  #tick(now: number): void {
    const revision = this.#cache.revision
    for (const watch of [...this.#watches]) {
      if (now >= watch.options.deadline) {
        watch.bookmark(revision)
        watch.end('timeout')
      } else if (
        now >= (this.#nextBookmark.get(watch) ?? 0) ||
        now + BOOKMARK_BEFORE_END_MS >= watch.options.deadline
      ) {
        watch.bookmark(revision)
        this.#nextBookmark.set(watch, now + BOOKMARK_MS)
      }
    }
  }
}
