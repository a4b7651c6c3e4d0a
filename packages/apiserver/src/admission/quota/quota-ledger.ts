// Knows what each namespace uses of its quotas, exactly: what the cache holds, plus what writes have reserved that are not in
// the cache yet. Objects that are only counted are counted by the cache's tree; the amounts of pods, services and claims are
// summed once per quota and kept up by the cache's changes.

import { deepEqual, forbidden, formatQuantity, type Quantity } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { CachedChange } from '../../cache/change-ring.ts'
import type { ResourceCache } from '../../cache/resource-cache.ts'
import type { AdmittedWrite } from '../../registry/admission-step.ts'
import type { CachedObjects } from '../cached-objects.ts'
import { countNames, measureOf, storageOf } from './evaluators.ts'
import { unspecified } from './pod-usage.ts'
import { type Quota, readQuota } from './quota.ts'
import { applyTo, minus, NONE, type ObjectUsage, ONE, plus, type Usage } from './usage.ts'

const QUOTAS = 'core/resourcequotas'

/** A quota, and what it has counted of the resources whose objects differ. */
interface Tracked {
  readonly stored: CachedObject
  readonly spec: unknown
  readonly quota: Quota
  /** By resource; made when first asked for. */
  readonly sums: Map<string, Map<string, Quantity>>
}

/** What a write that is under way will add. */
interface Reservation {
  readonly storage: string
  readonly place: string
  readonly now: ObjectUsage
  readonly before: ObjectUsage | undefined
}

export class QuotaLedger {
  readonly #cached: CachedObjects
  readonly #quotas: ResourceCache
  /** By namespace and name. Only of namespaces that have been asked about. */
  readonly #tracked = new Map<string, Map<string, Tracked>>()
  /** By namespace, then by storage and place: there is one write in flight per object. */
  readonly #reserved = new Map<string, Map<string, Reservation>>()
  readonly #followed = new Set<string>()
  /** What each cached object uses; a change asks for the object before, too. */
  readonly #usages = new WeakMap<CachedObject, ObjectUsage>()

  constructor(cached: CachedObjects) {
    this.#cached = cached
    this.#quotas = cached.resource(QUOTAS)
  }

  /** Whether the namespace has any quota. */
  limits(namespace: string): boolean {
    return this.#cached.has(QUOTAS, namespace)
  }

  /** Refuses the write if a quota does not allow what it adds. */
  check(write: AdmittedWrite): void {
    const { namespace = '' } = write.request
    const { storage } = write.request.type
    const { now, before } = usagesOf(write)
    for (const tracked of this.#quotasOf(namespace)) this.#checkOne(tracked, write, storage, now, before)
  }

  /** As `check`, and keeps what the write adds until it has ended; the answer ends it. */
  reserve(write: AdmittedWrite): () => void {
    this.check(write)
    const { type, namespace = '' } = write.request
    const { storage } = type
    const place = `${namespace}/${write.object.metadata.name}`
    const key = `${storage}/${place}`
    const reserved = this.#reserved.get(namespace) ?? new Map<string, Reservation>()
    this.#reserved.set(namespace, reserved)
    const mine = { storage, place, ...usagesOf(write) }
    reserved.set(key, mine)
    return () => {
      if (reserved.get(key) === mine) reserved.delete(key)
      if (reserved.size === 0 && this.#reserved.get(namespace) === reserved) this.#reserved.delete(namespace)
    }
  }

  /** What is stored of each name that the quota limits; undefined when there is no such quota. */
  used(namespace: string, name: string): Map<string, Quantity> | undefined {
    const tracked = this.#quotasOf(namespace).find(({ quota }) => quota.name === name)
    if (tracked === undefined) return undefined
    const used = new Map<string, Quantity>()
    for (const limited of tracked.quota.hard.keys()) {
      const storage = storageOf(limited)
      if (storage !== undefined) used.set(limited, this.#stored(tracked, namespace, storage, limited))
    }
    return used
  }

  #checkOne(
    { quota, ...tracked }: Tracked,
    { object, request }: AdmittedWrite,
    storage: string,
    now: ObjectUsage,
    before: ObjectUsage | undefined,
  ): void {
    if (!matches(quota, storage, now)) return
    const { type, namespace = '' } = request
    const refuse = (why: string) => forbidden({ ...type, name: object.metadata.name ?? '' }, why)
    if (storage === 'core/pods' && before === undefined) {
      const missing = unspecified(object, quota.hard.keys())
      if (missing !== undefined) throw refuse(`failed quota: ${quota.name}: ${missing}`)
    }
    const exceeded: { name: string; asked: Quantity; used: Quantity; hard: Quantity }[] = []
    for (const [name, hard] of quota.hard) {
      const asked = minus(now.amounts.get(name) ?? NONE, amountBefore(quota, storage, before, name))
      if (asked.nanos <= 0n) continue
      const used = this.#usedWithReserved({ quota, ...tracked }, namespace, storage, name)
      if (used.nanos + asked.nanos > hard.nanos) exceeded.push({ name, asked, used, hard })
    }
    if (exceeded.length === 0) return
    exceeded.sort((a, b) => (a.name < b.name ? -1 : 1))
    const listed = (key: 'asked' | 'used' | 'hard') =>
      exceeded.map((one) => `${one.name}=${formatQuantity(one[key])}`).join(',')
    throw refuse(
      `exceeded quota: ${quota.name}, requested: ${listed('asked')}, used: ${listed('used')}, limited: ${listed('hard')}`,
    )
  }

  #usedWithReserved(tracked: Tracked, namespace: string, storage: string, name: string): Quantity {
    let used = this.#stored(tracked, namespace, storage, name)
    const tree = this.#cached.resource(storage).tree
    for (const one of this.#reserved.get(namespace)?.values() ?? []) {
      if (one.storage !== storage || !matches(tracked.quota, storage, one.now)) continue
      // The cache has the object already: only its writer has not gone on yet.
      if (one.before === undefined && tree.get(one.place) !== undefined) continue
      const added = minus(one.now.amounts.get(name) ?? NONE, amountBefore(tracked.quota, storage, one.before, name))
      if (added.nanos > 0n) used = plus(used, added)
    }
    return used
  }

  #stored(tracked: Tracked, namespace: string, storage: string, name: string): Quantity {
    const { tree } = this.#cached.resource(storage)
    if (measureOf(storage) === undefined) {
      if (tracked.quota.scoped) return NONE
      return { nanos: BigInt(tree.count(`${namespace}/`)) * ONE.nanos, format: 'decimal' }
    }
    return this.#sums(tracked, namespace, storage).get(name) ?? NONE
  }

  #sums(tracked: Tracked, namespace: string, storage: string): Map<string, Quantity> {
    let sums = tracked.sums.get(storage)
    if (sums === undefined) {
      this.#follow(storage)
      sums = new Map()
      const { tree } = this.#cached.resource(storage)
      for (const object of tree.objects(`${namespace}/`)) this.#add(sums, tracked.quota, storage, object, plus)
      tracked.sums.set(storage, sums)
    }
    return sums
  }

  #follow(storage: string): void {
    if (this.#followed.has(storage)) return
    this.#followed.add(storage)
    this.#cached.resource(storage).subscribe((changes) => {
      for (const change of changes) this.#changed(storage, change)
    })
  }

  #changed(storage: string, { object, previous }: CachedChange): void {
    const place = (object ?? previous)?.name ?? ''
    const namespace = place.slice(0, place.indexOf('/'))
    const all = this.#tracked.get(namespace)
    if (all === undefined) return
    for (const { sums: byStorage, quota } of all.values()) {
      const sums = byStorage.get(storage)
      if (sums === undefined) continue
      if (previous) this.#add(sums, quota, storage, previous, minus)
      if (object) this.#add(sums, quota, storage, object, plus)
    }
    // What was reserved for this object is stored now.
    const reserved = this.#reserved.get(namespace)
    reserved?.delete(`${storage}/${place}`)
  }

  #add(sums: Map<string, Quantity>, quota: Quota, storage: string, object: CachedObject, combine: typeof plus): void {
    const usage = this.#usageOf(storage, object)
    if (usage !== undefined && quota.counts(usage)) applyTo(sums, usage.amounts, combine)
  }

  #usageOf(storage: string, object: CachedObject): ObjectUsage | undefined {
    const known = this.#usages.get(object)
    if (known !== undefined) return known
    const parsed = this.#cached.parse(object)
    const usage = parsed && measureOf(storage)?.(parsed)
    if (usage !== undefined) this.#usages.set(object, usage)
    return usage
  }

  /** The quotas of the namespace. A quota whose spec is as before keeps its sums: its status is written often. */
  #quotasOf(namespace: string): Tracked[] {
    const before = this.#tracked.get(namespace)
    const now = new Map<string, Tracked>()
    for (const stored of this.#quotas.tree.objects(`${namespace}/`)) {
      const known = before?.get(stored.name)
      const tracked = known?.stored === stored ? known : this.#track(stored, known)
      if (tracked !== undefined) now.set(stored.name, tracked)
    }
    if (now.size === 0) this.#tracked.delete(namespace)
    else this.#tracked.set(namespace, now)
    return [...now.values()]
  }

  #track(stored: CachedObject, known: Tracked | undefined): Tracked | undefined {
    const object = this.#cached.parse(stored)
    if (object === undefined) return undefined
    if (known !== undefined && deepEqual(known.spec, object.spec)) return { ...known, stored }
    return { stored, spec: object.spec, quota: readQuota(object), sums: new Map() }
  }
}

function usagesOf({ request, object, old }: AdmittedWrite): Pick<Reservation, 'now' | 'before'> {
  const { storage } = request.type
  const measure = measureOf(storage) ?? (() => countedUsage(storage))
  return { now: measure(object), before: old && measure(old) }
}

function countedUsage(storage: string): ObjectUsage {
  const amounts: Usage = new Map(countNames(storage).map((name) => [name, ONE]))
  return { amounts, scopes: new Set(), values: {} }
}

/** A quota with scopes is about kinds that have them. */
function matches(quota: Quota, storage: string, usage: ObjectUsage): boolean {
  return quota.scoped ? measureOf(storage) !== undefined && quota.counts(usage) : true
}

function amountBefore(quota: Quota, storage: string, before: ObjectUsage | undefined, name: string): Quantity {
  if (before === undefined || !matches(quota, storage, before)) return NONE
  return before.amounts.get(name) ?? NONE
}
