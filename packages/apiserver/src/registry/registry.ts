// The state that all verbs share: the cache to read from, the store to write to, and the clock. Verbs are functions
// beside this file; each takes the registry and a request.

import { type Clock, systemClock } from '@homeostat/base'
import { internalError, type KubeObject, notFound, rfc3339, type StatusError } from '@homeostat/meta'
import { FieldMemory, type VersionedTypes } from '@homeostat/meta/merge'
import { holdsTooMuch, readStored, serviceUnavailable, timeout, tooManyRequests } from '@homeostat/meta/server'
import type { Fence, StoreChanges, StoreReads, StoreWrites, Value } from '@homeostat/store'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged } from '../cache/join-leaf.ts'
import { PageSnapshots } from '../cache/page-snapshots.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import type { AdmissionStep } from './admission-step.ts'
import { Freshness } from './freshness.ts'
import { KeyLocks } from './key-locks.ts'
import type { ResourceType } from './resource-type.ts'
import type { ResourceTypes } from './resource-types.ts'
import type { Tickets } from './tickets.ts'
import type { WriteRequest } from './write-request.ts'

/** The part of a store that verbs use. The server does its maintenance. */
export type RegistryStore = StoreWrites & StoreReads & StoreChanges

/** Nothing was stored: another write of the key came first, or something else that the write was decided on has changed. */
export type Overtaken = 'conflict' | 'fenced'

const NO_FENCES: readonly Fence[] = []
const DEFINITIONS = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
const NAMESPACES = { group: '', resource: 'namespaces' }

export class Registry {
  readonly store: RegistryStore
  readonly cache: WatchCache
  readonly types: ResourceTypes
  readonly locks = new KeyLocks()
  readonly fieldMemory = new FieldMemory()
  readonly now: () => number
  readonly pages: PageSnapshots
  /** What the other servers of a shared store have written; undefined on a store of one server. */
  readonly freshness: Freshness | undefined
  /** Who decides what depends on several objects. The server sets it on a shared store. */
  tickets: Tickets | undefined
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
    this.freshness = store.shared ? new Freshness(store, cache, clock) : undefined
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
   * Stores the value (undefined deletes) if the key still holds `current`, and waits until the cache shows it. The caller retries
   * a write that was overtaken: the cache shows by what. A `minor` change is no step of the object's history. `object` is the
   * value parsed, in the stored form; the caller gives it up, and readers of the change get it. `decidedOn` are fences besides
   * those of the object's namespace and definition.
   */
  async commit(
    request: WriteRequest,
    key: string,
    current: CachedObject | undefined,
    value: Value | undefined,
    minor: boolean,
    object?: KubeObject,
    decidedOn: readonly Fence[] = NO_FENCES,
  ): Promise<number | Overtaken> {
    this.#refuseOutdated(request.type)
    const fences = this.#fences(request, current, value, decidedOn)
    const note = { time: this.now(), user: request.user.username, manager: request.manager, minor }
    const recent = object && this.resource(request.type).recent
    if (object && value) recent?.expect(key, value, object)
    const result =
      value === undefined && current
        ? await this.store.delete(key, current, note, fences)
        : await this.store.put(key, value as Value, current, note, fences)
    if (result.type === 'committed') {
      const behind = this.#shows(result.revision)
      if (behind !== undefined) await behind
    }
    recent?.settled(key)
    switch (result.type) {
      case 'committed':
        return result.revision
      case 'conflict':
        // Of a deleted key nobody says at which revision.
        if (result.current) await this.#shows(result.current.revision)
        else await this.freshness?.newest()
        return 'conflict'
      case 'fenced':
        if (result.key === request.held?.fence?.key) {
          request.held.lost()
          throw serviceUnavailable('the lease that this write stands on is not held any more, and nothing was changed')
        }
        return 'fenced'
      case 'failed':
        if (result.overloaded) throw tooManyRequests(`the store is behind with writing: ${result.error.message}`, 1)
        if (result.tooLarge) throw holdsTooMuch(`the object does not fit into the store: ${result.error.message}`)
        throw this.#notStored(`the write could not be stored and nothing was changed: ${result.error.message}`)
      case 'unknown':
        this.tickets?.doubt(decidedOn)
        throw timeout(`the write may or may not have been stored, read the object to find out: ${result.error.message}`)
    }
  }

  /** Of several servers another one may be better off. */
  #notStored(message: string): StatusError {
    return this.store.shared ? serviceUnavailable(message) : internalError(message)
  }

  #shows(revision: number): Promise<void> | undefined {
    return this.freshness === undefined ? this.cache.reached(revision) : this.freshness.shows(revision)
  }

  /**
   * What the write was decided on besides its own object and another server may have changed: the Lease of a leader, tickets, the
   * definition that the object was validated against, and the namespace of a new object, which may be terminating.
   */
  #fences(
    { type, namespace, held }: WriteRequest,
    current: CachedObject | undefined,
    value: Value | undefined,
    decidedOn: readonly Fence[],
  ): readonly Fence[] {
    if (!this.store.shared) return NO_FENCES
    const fences = held?.fence === undefined ? [...decidedOn] : [held.fence, ...decidedOn]
    if (value === undefined) return fences
    if (type.custom) fences.push(this.#fence(DEFINITIONS, `${type.resource}.${type.group}`))
    if (current === undefined && type.namespaced && namespace !== undefined)
      fences.push(this.#fence(NAMESPACES, namespace))
    return fences
  }

  #fence({ group, resource }: { group: string; resource: string }, name: string): Fence {
    const object = this.cache.resource(`${group === '' ? 'core' : group}/${resource}`).tree.get(name)
    if (object === undefined) throw notFound({ group, resource }, name)
    return { key: object.key, revision: object.revision }
  }

  /** Refuses an object that was validated against a definition that has changed since. */
  #refuseOutdated(type: ResourceType): void {
    if (!type.custom || this.types.isCurrent(type)) return
    throw tooManyRequests(`the definition of ${type.resource}.${type.group} has just changed; try again`, 1)
  }
}
