// Deletes objects whose owners are gone, and carries out the propagation policy of a DELETE. It follows every change of
// every resource, but parses only objects that have owners or wait for dependents.

import { type Clock, ControlLoop, type Log, systemClock, TimeSlice } from '@homeostat/base'
import { deepEqual, isStatusError, type ObjectMeta, type OwnerReference } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { splitKey } from '../cache/object-key.ts'
import type { Api, ObjectChange, ObjectName, ResourceName } from '../registry/api.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion-plan.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import {
  DELETED,
  dropFinalizer,
  dropOwners,
  garbageFacts,
  isAlikeToGarbage,
  OWNERS,
  unblockOwners,
} from './garbage-metadata.ts'
import { type GarbageAction, planGarbage } from './garbage-plan.ts'
import { collectedRun } from './garbage-run.ts'
import { kindOf, MetadataSearch, metadataOf, uidsIn } from './metadata-bytes.ts'
import { misplacedOwnerEvent } from './owner-event.ts'
import { type Owned, OwnerGraph } from './owner-graph.ts'
import { OwnerLookup } from './owner-lookup.ts'
import { RunEvents } from './run-events.ts'

const EVENTS: ResourceName = { group: '', resource: 'events' }

/** Concurrent deletions: they share the store's transactions. */
const WORKERS = 32
/** Dependents that are orphaned concurrently. */
const BATCH = 64
/** The time slice of the first scan, and after how many objects it looks at the clock. */
const SCAN_SLICE_MS = 3
const LOOK_EVERY = 32

export interface GarbageCollectorOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
  readonly clock?: Clock
}

/** Keys are the store's: `group/resource/namespace/name`. */
export class GarbageCollector {
  readonly #api: Api
  readonly #types: ResourceTypes
  readonly #clock: Clock
  readonly #loop: ControlLoop
  readonly #graph = new OwnerGraph()
  readonly #lookup: OwnerLookup
  readonly #runs: RunEvents
  /** Owners that wait for their dependents, by uid. */
  readonly #waiting = new Map<string, string>()
  /** Objects whose owners are of kinds that are not served. */
  readonly #unresolved = new Set<string>()

  constructor({ api, types, log, clock = systemClock }: GarbageCollectorOptions) {
    this.#api = api
    this.#types = types
    this.#clock = clock
    this.#loop = new ControlLoop({ name: 'garbage', log, clock, workers: WORKERS })
    this.#lookup = new OwnerLookup(api, types, this.#graph)
    this.#runs = new RunEvents({
      api,
      clock,
      log,
      controller: 'homeostat.dev/garbage-collector',
      reason: 'GarbageCollected',
    })
  }

  /** The number of objects with owners in the graph. */
  get size(): number {
    return this.#graph.size
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stopFollowing = this.#api.follow('all', (change) => this.#changed(change))
    const stopTypes = this.#types.onChange(() => this.#askAgain())
    await this.#scan(signal)
    // Reconciles only after the scan: a dependent that was not scanned yet may block its owner.
    await this.#loop.run((key) => this.#reconcile(key), signal)
    stopFollowing()
    stopTypes()
    await this.#runs.close()
  }

  /** Reads all objects that exist at start, in time slices. Changes meanwhile arrive through `#changed`. */
  async #scan(signal: AbortSignal): Promise<void> {
    const owners = new MetadataSearch(OWNERS)
    const deleted = new MetadataSearch(DELETED)
    const slice = new TimeSlice(SCAN_SLICE_MS)
    let seen = 0
    for (const resource of this.#api.stored()) {
      if (isEvents(resource)) continue
      for (const object of this.#api.objects(resource)) {
        if (++seen % LOOK_EVERY === 0) await slice.next()
        if (signal.aborted) return
        if (!owners.has(object) && !deleted.has(object)) continue
        if (this.#current(object.key) === object) this.#see(object)
      }
    }
  }

  #see(object: CachedObject): void {
    const { key } = object
    const { owned, heldBy } = garbageFacts(object)
    this.#graph.set(key, owned)
    if (owned || heldBy) this.#loop.add(key)
  }

  #changed({ resource, object, previous }: ObjectChange): void {
    if (isEvents(resource)) return
    if (object) this.#seen(object, previous)
    else if (previous) this.#gone(resource, previous)
  }

  #seen(object: CachedObject, previous: CachedObject | undefined): void {
    const { key } = object
    const before = this.#graph.get(key)
    // One that the graph does not know has no owners, which is told as quickly, or has not been read yet.
    if (before !== undefined && previous !== undefined && isAlikeToGarbage(object, previous)) return
    const { owned, heldBy } = garbageFacts(object)
    if (before || owned) this.#graph.set(key, owned)
    if (!deepEqual(before?.owners, owned?.owners)) {
      if (owned) this.#loop.add(key)
      if (before) this.#wakeOwners(before)
    }
    if (heldBy === undefined) return
    this.#loop.add(key)
    if (heldBy === FOREGROUND_FINALIZER && previous && garbageFacts(previous).heldBy !== heldBy) {
      for (const dependent of this.#graph.dependentsOf(metadataOf(object).uid ?? '')) this.#loop.add(dependent)
    }
  }

  #gone(resource: ResourceName, previous: CachedObject): void {
    const before = this.#graph.get(previous.key)
    if (before) {
      this.#graph.set(previous.key, undefined)
      this.#wakeOwners(before)
    }
    this.#unresolved.delete(previous.key)
    const concerned = uidsIn(previous).some((uid) => this.#graph.hasDependents(uid) || this.#waiting.has(uid))
    if (!concerned) return
    const { uid = '', namespace, name = '' } = metadataOf(previous)
    const { kind } = kindOf(previous)
    this.#waiting.delete(uid)
    this.#graph.ownerGone(uid, { group: resource.group, kind, namespace, name })
    for (const dependent of this.#graph.dependentsOf(uid)) this.#loop.add(dependent)
  }

  /** Queues the owners that wait for their dependents: this may have been the last. */
  #wakeOwners({ owners }: Owned): void {
    for (const { uid } of owners) {
      const key = this.#waiting.get(uid)
      if (key !== undefined) this.#loop.add(key)
    }
  }

  #askAgain(): void {
    for (const key of this.#unresolved) this.#loop.add(key)
    this.#unresolved.clear()
  }

  async #reconcile(key: string): Promise<void> {
    const object = this.#current(key)
    if (!object || object.damage !== undefined) return
    const { resource, place } = splitPlace(key)
    const metadata = metadataOf(object)
    const uid = metadata.uid ?? ''
    const lost: OwnerReference[] = []
    const ownerState = (reference: OwnerReference) => {
      const state = this.#lookup.stateOf(reference, metadata.namespace)
      if (state === 'absent' || state === 'misplaced') lost.push(reference)
      return state
    }
    const action = planGarbage({
      metadata,
      ownerState,
      hasDependents: this.#graph.hasDependents(uid),
      blocked: this.#graph.isBlocked(uid),
      dependentsWait: () => this.#graph.dependentsWait(uid),
    })
    for (const reference of lost) await this.#warnIfElsewhere(object, metadata, reference)
    if (action.do === 'nothing') return
    if (action.do === 'await dependents') this.#waiting.set(uid, key)
    else if (action.do === 'await kinds' || !this.#api.serves(resource)) this.#unresolved.add(key)
    else {
      await this.#carryOut(action, resource, place, metadata)
      const run = collectedRun(action, kindOf(object), metadata)
      if (run !== undefined) this.#runs.record({ ...kindOf(object), metadata }, run)
    }
  }

  async #carryOut(
    action: GarbageAction,
    resource: ResourceName,
    place: ObjectName,
    metadata: ObjectMeta,
  ): Promise<void> {
    const uid = metadata.uid ?? ''
    const change = (how: (metadata: ObjectMeta) => void) => this.#change(resource, place, uid, how)
    switch (action.do) {
      case 'release':
        return change((newest) => dropFinalizer(newest, action.finalizer))
      case 'drop owners':
        return change((newest) => dropOwners(newest, action.uids))
      case 'orphan dependents':
        await this.#orphan(uid)
        return change((newest) => dropFinalizer(newest, ORPHAN_FINALIZER))
      case 'delete':
        if (!action.unblock) return this.#delete(resource, place, metadata, action.policy)
        await change(unblockOwners)
        // No precondition on the resourceVersion: the write above has just changed it.
        return this.#delete(resource, place, { ...metadata, resourceVersion: '' }, action.policy)
    }
  }

  /** The uid precondition ensures that it is still the same object. */
  async #change(
    resource: ResourceName,
    place: ObjectName,
    uid: string,
    how: (metadata: ObjectMeta) => void,
  ): Promise<void> {
    await this.#api.change(resource, place, ({ metadata }) => {
      if (metadata.uid === uid) how(metadata)
    })
  }

  async #orphan(uid: string): Promise<void> {
    const dependents = this.#graph.dependentsOf(uid)
    const uids = new Set([uid])
    for (let start = 0; start < dependents.length; start += BATCH) {
      await Promise.all(
        dependents.slice(start, start + BATCH).map(async (key) => {
          const { resource, place } = splitPlace(key)
          if (!this.#api.serves(resource)) throw new Error(`${key} cannot be orphaned: nothing serves it`)
          await this.#change(resource, place, this.#graph.get(key)?.uid ?? '', (newest) => dropOwners(newest, uids))
        }),
      )
    }
  }

  async #delete(resource: ResourceName, place: ObjectName, seen: ObjectMeta, policy: string): Promise<void> {
    const { uid = '', resourceVersion = '' } = seen
    const preconditions = { uid, ...(resourceVersion !== '' && { resourceVersion }) }
    try {
      await this.#api.delete(resource, place, { preconditions, propagationPolicy: policy })
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return
      if (!isStatusError(error, 'Conflict') || resourceVersion === '') throw error
      const newest = this.#api.object(resource, place)
      if (!newest || newest.damage !== undefined) return
      // Writes that do not touch the owners must not delay the deletion for ever.
      const { ownerReferences } = metadataOf(newest)
      if (!deepEqual(ownerReferences, seen.ownerReferences)) throw error
      await this.#delete(resource, place, { ...seen, resourceVersion: '' }, policy)
    }
  }

  async #warnIfElsewhere(object: CachedObject, metadata: ObjectMeta, owner: OwnerReference): Promise<void> {
    if (!this.#lookup.isElsewhere(owner, metadata.namespace)) return
    const event = misplacedOwnerEvent(kindOf(object), metadata, owner, this.#clock.now())
    // The event exists already, or its namespace is being deleted.
    await this.#api.create(EVENTS, event).catch(() => {})
  }

  #current(key: string): CachedObject | undefined {
    const { resource, place } = splitPlace(key)
    return this.#api.object(resource, place)
  }
}

function isEvents({ group, resource }: ResourceName): boolean {
  return resource === 'events' && (group === '' || group === 'events.k8s.io')
}

function splitPlace(key: string): { resource: ResourceName; place: ObjectName } {
  const [storage, path] = splitKey(key)
  const cut = storage.indexOf('/')
  const group = storage.slice(0, cut)
  const slash = path.indexOf('/')
  return {
    resource: { group: group === 'core' ? '' : group, resource: storage.slice(cut + 1) },
    place: slash < 0 ? { name: path } : { namespace: path.slice(0, slash), name: path.slice(slash + 1) },
  }
}
