// The state that all verbs share: the cache to read from, the store to write to, and the clock. Verbs are functions
// beside this file; each takes the registry and a request.

import { type Clock, systemClock } from '@homeostat/base'
import { internalError, type KubeObject, rfc3339 } from '@homeostat/meta'
import { FieldMemory, type VersionedTypes } from '@homeostat/meta/merge'
import { readStored, serviceUnavailable, timeout, tooManyRequests } from '@homeostat/meta/server'
import type { StoreChanges, StoreReads, StoreWrites, Value } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged } from '../cache/join-leaf.ts'
import { PageSnapshots } from '../cache/page-snapshots.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { AdmissionStep } from './admission-step.ts'
import { KeyLocks } from './key-locks.ts'
import type { ResourceType } from './resource-type.ts'
import type { ResourceTypes } from './resource-types.ts'
import type { WriteRequest } from './write-request.ts'

/** The part of a store that verbs use. The server does its maintenance. */
export type RegistryStore = StoreWrites & StoreReads & StoreChanges

export class Registry {
  readonly store: RegistryStore
  readonly cache: WatchCache
  readonly types: ResourceTypes
  readonly locks = new KeyLocks()
  readonly fieldMemory = new FieldMemory()
  readonly now: () => number
  readonly pages: PageSnapshots
  /** The steps that extensions add to writes, in order. */
  readonly admission: readonly AdmissionStep[]
  /** The versioned types of managed fields, by type: every write of a type needs the same. */
  readonly versionedTypes = new WeakMap<ResourceType, VersionedTypes>()
  /** Whether each namespace object is terminating, so that a create parses its namespace once, not every time. */
  readonly #terminating = new WeakMap<CachedObject, boolean>()
  #second = -1
  #timestamp = ''

  constructor(
    store: RegistryStore,
    cache: WatchCache,
    types: ResourceTypes,
    clock: Clock = systemClock,
    admission: readonly AdmissionStep[] = [],
  ) {
    this.store = store
    this.cache = cache
    this.types = types
    this.now = () => clock.now()
    this.pages = new PageSnapshots(clock)
    this.admission = admission
  }

  resource(type: ResourceType): ResourceCache {
    return this.cache.resource(type.storage)
  }

  /** A fresh copy of a stored object, in the version it is stored in. */
  parse(object: CachedObject): KubeObject {
    return readStored(object.bytes, object.metaEnd, this.fieldMemory)
  }

  isTerminating(namespace: CachedObject): boolean {
    let known = this.#terminating.get(namespace)
    if (known === undefined) {
      refuseDamaged(namespace)
      known = this.parse(namespace).metadata.deletionTimestamp !== undefined
      this.#terminating.set(namespace, known)
    }
    return known
  }

  /** The time in the format of metadata. Formatted once per second, since every write needs it. */
  timestamp(): string {
    const second = Math.floor(this.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#timestamp = rfc3339(second * 1000)
    }
    return this.#timestamp
  }

  /**
   * Stores the value (undefined deletes) if the key still holds `current`, and waits until the cache shows it. Returns
   * undefined when another write committed first; the caller retries. A `minor` change is no step of the object's history.
   * `object` is the value parsed, in the stored form; the caller gives it up, and readers of the change get it.
   */
  async commit(
    request: WriteRequest,
    key: string,
    current: CachedObject | undefined,
    value: Value | undefined,
    minor: boolean,
    object?: KubeObject,
  ): Promise<number | undefined> {
    this.#refuseOutdated(request.type)
    const note = { time: this.now(), user: request.user.username, manager: request.manager, minor }
    const fences = request.held?.fence && [request.held.fence]
    const recent = object && this.resource(request.type).recent
    if (object && value) recent?.expect(key, value, object)
    const result =
      value === undefined && current
        ? await this.store.delete(key, current, note, fences)
        : await this.store.put(key, value as Value, current, note, fences)
    if (result.type === 'committed') {
      const behind = this.cache.reached(result.revision)
      if (behind !== undefined) await behind
    }
    recent?.settled(key)
    switch (result.type) {
      case 'committed':
        return result.revision
      case 'conflict':
        if (result.current) await this.cache.reached(result.current.revision)
        return undefined
      case 'fenced':
        request.held?.lost()
        throw serviceUnavailable('the lease that this write stands on is not held any more, and nothing was changed')
      case 'failed':
        if (result.overloaded) throw tooManyRequests(`the store is behind with writing: ${result.error.message}`, 1)
        throw internalError(`the write could not be stored and nothing was changed: ${result.error.message}`)
      case 'unknown':
        throw timeout(`the write may or may not have been stored, read the object to find out: ${result.error.message}`)
    }
  }

  /** Refuses an object that was validated against a definition that has changed since. */
  #refuseOutdated(type: ResourceType): void {
    if (!type.custom || this.types.isCurrent(type)) return
    throw tooManyRequests(`the definition of ${type.resource}.${type.group} has just changed; try again`, 1)
  }
}
