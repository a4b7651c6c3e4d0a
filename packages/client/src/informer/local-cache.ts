// Decides how a state that arrives by an event, a list or the caller's own write changes the cache. No I/O. Revisions
// decide: an older state never replaces a newer one, whatever the order of arrival.

import type { ObjectName } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'
import type { InformerEvent } from './informer.ts'
import type { Keep } from './kept-object.ts'
import { NamespacedMap } from './namespaced-map.ts'
import { ObjectCache } from './object-cache.ts'
import { isNewer } from './revision.ts'

/**
 * The caller's own deletions that the watch has not reached yet. Beyond this the oldest is dropped: its event will
 * arrive.
 */
const MAX_TOMBSTONES = 10_000

export class LocalCache {
  readonly cache: ObjectCache<ApiObject>
  readonly #keep: Keep
  readonly #tell: (change: InformerEvent<ApiObject>) => void
  readonly #tombstones = new Map<string, string>()
  #staged: NamespacedMap<ApiObject> | undefined
  /** Revisions of deletions seen among the initial events; cleared when the list is complete. */
  readonly #stagedDeletions = new Map<string, string>()
  #revision = ''

  constructor(keep: Keep, tell: (change: InformerEvent<ApiObject>) => void, onError: (error: Error) => void) {
    this.cache = new ObjectCache(onError)
    this.#keep = keep
    this.#tell = tell
  }

  /** The cache holds the server's changes up to this revision. */
  get revision(): string {
    return this.#revision
  }

  /** Number of deletions that the watch has not reached yet. */
  get tombstones(): number {
    return this.#tombstones.size
  }

  /** A bookmark: there are no further changes up to this revision. */
  advance(revision: string | undefined): void {
    if (revision === undefined) return
    if (this.#revision === '' || isNewer(revision, this.#revision)) this.#revision = revision
    this.#buryPassed()
  }

  /**
   * Applies an event of the watch. Returns false for an unknown object at a revision that the watch has already passed:
   * either a stale repeat of a deleted object or a change out of order. Only a new list can tell them apart.
   */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): boolean {
    const { namespace = '', name = '', resourceVersion } = object.metadata
    const known = this.cache.get(namespace, name)
    if (type === 'DELETED') {
      // An equal revision deletes, too: the caller's write that moved the object out of the selection has the same one.
      if (known !== undefined && !isNewer(known.metadata.resourceVersion, resourceVersion)) this.#delete(known, object)
    } else if (known !== undefined) {
      if (!isKnown(resourceVersion, known)) this.#put(this.#keep(object), known, false)
    } else if (!this.#isBuried(namespace, name, resourceVersion)) {
      if (isPassed(resourceVersion, this.#revision)) return false
      this.#put(this.#keep(object), undefined, false)
    }
    if (resourceVersion !== undefined && isNewer(resourceVersion, this.#revision)) this.#revision = resourceVersion
    return true
  }

  /** Begins a list. The cache stays visible until `swap`. */
  stage(): void {
    this.#staged = new NamespacedMap()
    this.#stagedDeletions.clear()
  }

  /** Drops the staged list. */
  unstage(): void {
    this.#staged = undefined
    this.#stagedDeletions.clear()
  }

  /** Stages a listed object. An unchanged object is shared with the cache instead of stored twice. */
  stageObject(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): void {
    const { namespace = '', name = '', resourceVersion, uid } = object.metadata
    const staged = this.#staged?.get(namespace, name)
    if (type === 'DELETED') {
      if (isNewer(staged?.metadata.resourceVersion, resourceVersion)) return
      this.#staged?.delete(namespace, name)
      this.#stagedDeletions.set(keyOf(namespace, name), resourceVersion ?? '')
      return
    }
    if (staged !== undefined && isKnown(resourceVersion, staged)) return
    if (this.#stagedDeletions.size > 0) {
      if (isPassed(resourceVersion, this.#stagedDeletions.get(keyOf(namespace, name)))) return
    }
    const known = this.cache.get(namespace, name)
    const same = known !== undefined && known.metadata.uid === uid && known.metadata.resourceVersion === resourceVersion
    this.#staged?.set(namespace, name, same ? known : this.#keep(object))
  }

  /** Replaces the cache by the staged list, as of this revision, and reports the difference. */
  swap(revision: string, initial: boolean): void {
    const staged = this.#staged ?? new NamespacedMap<ApiObject>()
    this.unstage()
    // A list older than the cache means that the server's history was reset: then only the list is valid.
    const anew = isNewer(this.#revision, revision)
    if (anew) this.#tombstones.clear()
    for (const known of this.cache.values()) {
      const { namespace = '', name = '', resourceVersion } = known.metadata
      if (staged.get(namespace, name) !== undefined) continue
      if (anew || !isNewer(resourceVersion, revision)) this.#delete(known, known)
    }
    for (const object of staged.values()) {
      const { namespace = '', name = '', resourceVersion } = object.metadata
      const known = this.cache.get(namespace, name)
      if (known === object) continue
      if (known === undefined) {
        const buriedAt = this.#tombstones.get(keyOf(namespace, name))
        if (isNewer(buriedAt, revision) && isPassed(resourceVersion, buriedAt)) continue
        this.#put(object, undefined, initial)
      } else if (anew || !isKnown(resourceVersion, known)) this.#put(object, known, initial)
    }
    this.#revision = revision
    this.#buryPassed()
  }

  /** Stores the response of the caller's own write. */
  wrote(object: ApiObject): void {
    const { namespace = '', name = '', resourceVersion } = object.metadata
    // The watch has passed this revision: if the object is missing here, it was deleted since.
    if (isPassed(resourceVersion, this.#revision)) return
    const known = this.cache.get(namespace, name)
    if (known === undefined) {
      if (this.#isBuried(namespace, name, resourceVersion)) return
    } else if (isKnown(resourceVersion, known)) return
    this.#put(this.#keep(object), known, false)
  }

  /** Removes an object that the caller deleted. */
  removed({ namespace = '', name }: ObjectName, resourceVersion: string): void {
    const known = this.cache.get(namespace, name)
    if (known !== undefined) {
      if (isNewer(known.metadata.resourceVersion, resourceVersion)) return
      this.#delete(known, known)
    }
    if (isPassed(resourceVersion, this.#revision)) return
    const key = keyOf(namespace, name)
    if (isNewer(this.#tombstones.get(key), resourceVersion)) return
    this.#tombstones.delete(key)
    this.#tombstones.set(key, resourceVersion)
    if (this.#tombstones.size <= MAX_TOMBSTONES) return
    for (const oldest of this.#tombstones.keys()) {
      this.#tombstones.delete(oldest)
      break
    }
  }

  /** Empties the cache and reports every object as deleted: the kind is no longer served, or the informer is closed. */
  clear(): void {
    for (const known of this.cache.values()) this.#delete(known, known)
    this.#tombstones.clear()
    this.#staged = undefined
    this.#revision = ''
  }

  #put(object: ApiObject, known: ApiObject | undefined, initial: boolean): void {
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) {
      this.#delete(known, known)
      this.#put(object, undefined, initial)
      return
    }
    this.cache.put(object, known)
    this.#tell({ type: known === undefined ? 'added' : 'updated', object, previous: known, initial })
  }

  #delete(known: ApiObject, last: ApiObject): void {
    this.cache.delete(known)
    const same = last === known || last.metadata.uid !== known.metadata.uid
    this.#tell({ type: 'deleted', object: same ? known : this.#keep(last), previous: known, initial: false })
  }

  #isBuried(namespace: string, name: string, resourceVersion: string | undefined): boolean {
    if (this.#tombstones.size === 0) return false
    return isPassed(resourceVersion, this.#tombstones.get(keyOf(namespace, name)))
  }

  #buryPassed(): void {
    for (const [key, revision] of this.#tombstones) {
      if (isPassed(revision, this.#revision)) this.#tombstones.delete(key)
    }
  }
}

/** Whether the revision is at or before the other one. */
function isPassed(revision: string | undefined, by: string | undefined): boolean {
  return revision !== undefined && (revision === by || isNewer(by, revision))
}

/** Whether the known state is at that revision or later. */
function isKnown(revision: string | undefined, known: ApiObject): boolean {
  return isPassed(revision, known.metadata.resourceVersion)
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}
