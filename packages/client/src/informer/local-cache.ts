// Decides what a state that arrived does to the cache: by an event, a list, or a write of our own. Pure but for the
// cache it owns. Revisions decide: nothing older ever replaces something newer, whatever the order of arrival.

import type { ObjectName } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'
import type { InformerEvent } from './informer.ts'
import type { Keep } from './kept-object.ts'
import { NamespacedMap } from './namespaced-map.ts'
import { ObjectCache } from './object-cache.ts'
import { isNewer } from './revision.ts'

/** Removals of ours that the stream has not passed yet. Beyond this the oldest is forgotten: its event will come. */
const MAX_TOMBSTONES = 10_000

export class LocalCache {
  readonly cache: ObjectCache<ApiObject>
  readonly #keep: Keep
  readonly #tell: (change: InformerEvent<ApiObject>) => void
  readonly #tombstones = new Map<string, string>()
  #staged: NamespacedMap<ApiObject> | undefined
  /** Deletions among the events of a list, by their revision; forgotten when it is complete. */
  readonly #stagedDeletions = new Map<string, string>()
  #revision = ''

  constructor(keep: Keep, tell: (change: InformerEvent<ApiObject>) => void, onError: (error: Error) => void) {
    this.cache = new ObjectCache(onError)
    this.#keep = keep
    this.#tell = tell
  }

  /** Up to here the server's changes are in the cache. */
  get revision(): string {
    return this.#revision
  }

  /** How many removals wait for the stream. */
  get tombstones(): number {
    return this.#tombstones.size
  }

  /** The server has nothing to tell up to this revision. */
  advance(revision: string | undefined): void {
    if (revision === undefined) return
    if (this.#revision === '' || isNewer(revision, this.#revision)) this.#revision = revision
    this.#buryPassed()
  }

  /**
   * An event of the watch. False when it tells of an object that we do not have, at a revision that the stream has
   * already passed: a repeat of something deleted, or a real change out of order. Only a list can say which.
   */
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): boolean {
    const { namespace = '', name = '', resourceVersion } = object.metadata
    const known = this.cache.get(namespace, name)
    if (type === 'DELETED') {
      // An equal revision deletes: the write of ours that took an object out of the selection has the same.
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

  /** Begins a list. What the cache holds stays visible until `swap`. */
  stage(): void {
    this.#staged = new NamespacedMap()
    this.#stagedDeletions.clear()
  }

  /** Ends a list that failed. */
  unstage(): void {
    this.#staged = undefined
    this.#stagedDeletions.clear()
  }

  /** Puts a listed object aside. One that the cache has already is not held twice. */
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

  /** Makes the listed objects the state, as of this revision, and tells the difference. */
  swap(revision: string, initial: boolean): void {
    const staged = this.#staged ?? new NamespacedMap<ApiObject>()
    this.unstage()
    // A list that is older than what we saw means that the server's history began anew: then the list alone is true.
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

  /** A state that a write of ours answered. */
  wrote(object: ApiObject): void {
    const { namespace = '', name = '', resourceVersion } = object.metadata
    // What the stream has passed it has told: if the object is not here, it was deleted since.
    if (isPassed(resourceVersion, this.#revision)) return
    const known = this.cache.get(namespace, name)
    if (known === undefined) {
      if (this.#isBuried(namespace, name, resourceVersion)) return
    } else if (isKnown(resourceVersion, known)) return
    this.#put(this.#keep(object), known, false)
  }

  /** A removal of ours. */
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

  /** The kind is not served any more, or nobody looks: nothing is left, and everything is told as deleted. */
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

/** At or before the other one. */
function isPassed(revision: string | undefined, by: string | undefined): boolean {
  return revision !== undefined && (revision === by || isNewer(by, revision))
}

/** The known state is that one or a later one. */
function isKnown(revision: string | undefined, known: ApiObject): boolean {
  return isPassed(revision, known.metadata.resourceVersion)
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}
