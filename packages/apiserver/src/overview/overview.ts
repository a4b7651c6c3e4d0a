// Counts of objects by kind, and the newest of those that are not ready, as far as the asking user may list them: one question
// instead of one list per kind. The index is made with the first question and forgotten when nobody has asked for a minute.

import { type Clock, TimeSlice } from '@homeostat/base'
import { compareVersions, readStored } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import type { WatchCache } from '../cache/watch-cache.ts'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { CacheIndex } from './cache-index.ts'
import { type KindCounts, readiness } from './kind-counts.ts'
import { Newest } from './newest.ts'

const FORGET_MS = 60_000
/** How many objects that are not ready are named. */
const MOST_NAMED = 200

export interface OverviewAnswer {
  readonly apiVersion: string
  readonly kind: string
  /** Of kinds with objects that the user may list. */
  readonly counts: readonly {
    readonly group: string
    readonly version: string
    readonly resource: string
    readonly count: number
    readonly notReady: number
  }[]
  readonly notReadyCount: number
  /** The newest of them. */
  readonly notReady: readonly NamedNotReady[]
}

interface NamedNotReady {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  readonly reason: string
  readonly message: string
  readonly since?: string
}

export interface OverviewParts {
  readonly cache: WatchCache
  readonly types: ResourceTypes
  readonly authorizer: Authorizer
  readonly clock: Clock
}

interface Candidate {
  readonly type: ResourceType
  readonly name: string
}

export class Overview {
  readonly #parts: OverviewParts
  #index: { readonly of: CacheIndex; readonly loaded: Promise<void> } | undefined
  #forget: (() => void) | undefined
  #closed = false

  constructor(parts: OverviewParts) {
    this.#parts = parts
  }

  /** With a namespace, objects of other namespaces are left out; those without one stay. */
  async answer(user: User, namespace: string | undefined): Promise<OverviewAnswer> {
    const index = await this.#open()
    const slice = new TimeSlice()
    const counts: OverviewAnswer['counts'][number][] = []
    const newest = new Newest<Candidate>(MOST_NAMED)
    for (const type of preferred(this.#parts.types.all())) {
      const kind = index.of(this.#parts.cache.resource(type.storage))
      if (kind === undefined) continue
      let count = 0
      let bad = 0
      for (const place of await this.#visible(user, type, kind, namespace, slice)) {
        const found = kind.namespaces.get(place)
        if (found === undefined) continue
        count += found.count
        bad += found.notReady.size
        for (const [name, since] of found.notReady) {
          newest.add(since, { type, name })
          const others = slice.next()
          if (others !== undefined) await others
        }
      }
      const { group, version, resource } = type
      if (count > 0) counts.push({ group, version, resource, count, notReady: bad })
      const others = slice.next()
      if (others !== undefined) await others
    }
    return {
      apiVersion: 'dashboard.homeostat.io/v1',
      kind: 'Overview',
      counts,
      notReadyCount: counts.reduce((sum, { notReady }) => sum + notReady, 0),
      notReady: newest.all().flatMap((one) => this.#named(one)),
    }
  }

  close(): void {
    this.#closed = true
    this.#drop()
  }

  async #open(): Promise<CacheIndex> {
    const { cache, clock } = this.#parts
    this.#forget?.()
    if (this.#index === undefined) {
      const made = new CacheIndex(cache)
      this.#index = { of: made, loaded: made.load() }
    }
    const { of, loaded } = this.#index
    // A server that ends must not be kept by a timer.
    if (!this.#closed) this.#forget = clock.setTimer(FORGET_MS, () => this.#drop())
    await loaded
    return of
  }

  #drop(): void {
    this.#forget?.()
    this.#index?.of.close()
    this.#index = undefined
  }

  /** The namespaces, `''` for objects without one, whose objects the user may list. */
  async #visible(
    user: User,
    type: ResourceType,
    kind: KindCounts,
    only: string | undefined,
    slice: TimeSlice,
  ): Promise<readonly string[]> {
    const places = type.namespaced && only !== undefined ? [only] : [...kind.namespaces.keys()]
    if (places.length === 0 || user === ADMINISTRATOR || (await this.#mayList(user, type, ''))) return places
    if (!type.namespaced) return []
    const seen: string[] = []
    for (const place of places) {
      if (await this.#mayList(user, type, place)) seen.push(place)
      const others = slice.next()
      if (others !== undefined) await others
    }
    return seen
  }

  #mayList(user: User, { group, resource }: ResourceType, namespace: string): Promise<boolean> | boolean {
    const attributes = { verb: 'list', group, resource, subresource: '', namespace, name: '' }
    const decision = this.#parts.authorizer.authorize(user, attributes)
    return decision instanceof Promise ? decision.then(({ allowed }) => allowed) : decision.allowed
  }

  /** As it is now; empty when it has changed since it was counted. */
  #named({ type, name: key }: Candidate): NamedNotReady[] {
    const object = this.#parts.cache.resource(type.storage).tree.get(key)
    const found = object && readiness(object)
    if (object === undefined || found === undefined || object.damage !== undefined) return []
    const slash = key.indexOf('/')
    const { group, version, resource, kind } = type
    return [
      {
        group,
        version,
        resource,
        kind,
        ...(slash > 0 && { namespace: key.slice(0, slash) }),
        name: key.slice(slash + 1),
        uid: readStored(object.bytes, object.metaEnd).metadata.uid ?? '',
        reason: found.reason,
        message: found.message,
        ...(found.since > 0 && { since: new Date(found.since).toISOString() }),
      },
    ]
  }
}

/** One version of each resource that can be listed: the one that discovery names first. */
function preferred(types: readonly ResourceType[]): readonly ResourceType[] {
  const best = new Map<string, ResourceType>()
  for (const type of types) {
    if (!type.verbs.includes('list')) continue
    const key = `${type.group}/${type.resource}`
    const known = best.get(key)
    if (known === undefined || compareVersions(type.version, known.version) < 0) best.set(key, type)
  }
  return [...best.values()]
}
