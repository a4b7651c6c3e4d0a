// The webhooks or the policies of a server, by what they concern. A write first asks whether any concerns its resource, which
// is one look-up, and then those whose namespace selectors take its namespace, which is remembered while that stays as it is.

import type { CachedObject } from '../../cache/cached-object.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import type { WriteRequest } from '../../registry/write-request.ts'
import { isExempt, type MatchedWrite } from './matched-write.ts'
import type { Matcher } from './request-matcher.ts'
import type { ServedVersions } from './served-versions.ts'

/** Something with criteria. */
export interface Matching {
  readonly matcher: Matcher
}

/** What takes a write, and the version that it sees the object in. */
export interface Match<T> {
  readonly matched: T
  readonly type: ResourceType
}

/** What concerns a resource. */
interface Concerned<T> {
  readonly all: readonly T[]
  readonly inNamespace: WeakMap<CachedObject, readonly T[]>
}

export class MatchIndex<T extends Matching> {
  readonly #versions: ServedVersions
  #entries: readonly T[] = []
  #concerned = new WeakMap<ResourceType, Map<string, Concerned<T>>>()
  #generation = -1

  constructor(versions: ServedVersions) {
    this.#versions = versions
  }

  /** In the order in which they are asked. */
  replace(entries: readonly T[]): void {
    this.#entries = entries
    this.#concerned = new WeakMap()
  }

  /** Whether any entry may take such a write. `stored` is its namespace, if that exists and is not what is written. */
  concerns(request: Pick<WriteRequest, 'type' | 'subresource' | 'namespace'>, stored?: CachedObject): boolean {
    if (this.#entries.length === 0) return false
    const concerned = this.#of(request.type, request.subresource ?? '')
    if (stored === undefined || concerned.all.length === 0) return concerned.all.length > 0
    const place = { namespace: request.namespace, namespaceLabels: stored.labels }
    return this.#inNamespace(concerned, stored, place).length > 0
  }

  /** The entries that take the write, in order. */
  matches(write: MatchedWrite): Match<T>[] {
    const found: Match<T>[] = []
    for (const entry of this.#here(write)) {
      const type = entry.matcher.matchHere(write)
      if (type !== undefined) found.push({ matched: entry, type })
    }
    return found
  }

  #here(write: MatchedWrite): readonly T[] {
    const concerned = this.#of(write.type, write.subresource)
    return this.#inNamespace(concerned, write.ownNamespace ? undefined : write.stored, write)
  }

  #inNamespace(
    { all, inNamespace }: Concerned<T>,
    stored: CachedObject | undefined,
    place: Pick<MatchedWrite, 'namespace' | 'namespaceLabels'>,
  ): readonly T[] {
    const known = stored && inNamespace.get(stored)
    if (known !== undefined) return known
    const here = all.filter(({ matcher }) => matcher.matchesNamespace(place))
    if (stored !== undefined) inNamespace.set(stored, here)
    return here
  }

  #of(type: ResourceType, subresource: string): Concerned<T> {
    if (this.#generation !== this.#versions.generation) {
      this.#generation = this.#versions.generation
      this.#concerned = new WeakMap()
    }
    let bySubresource = this.#concerned.get(type)
    if (bySubresource === undefined) {
      bySubresource = new Map()
      this.#concerned.set(type, bySubresource)
    }
    let concerned = bySubresource.get(subresource)
    if (concerned === undefined) {
      const all = isExempt(type) ? [] : this.#entries.filter(({ matcher }) => matcher.concerns(type, subresource))
      concerned = { all, inNamespace: new WeakMap() }
      bySubresource.set(subresource, concerned)
    }
    return concerned
  }
}
