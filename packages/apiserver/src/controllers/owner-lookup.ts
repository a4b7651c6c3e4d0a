// Finds the owner that a reference names: the same version, kind, place and uid. The cache holds everything that is
// committed, so that an object which is not in it does not exist.

import { type OwnerReference, parseGroupVersion } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ApiReads, ObjectName, ResourceName } from '../registry/api.ts'
import { apiVersionOf } from '../registry/decode-object.ts'
import { FOREGROUND_FINALIZER } from '../registry/deletion-plan.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import type { OwnerState } from './garbage-plan.ts'
import { metadataOf } from './metadata-bytes.ts'
import type { OwnerGraph } from './owner-graph.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

export class OwnerLookup {
  readonly #api: ApiReads
  readonly #types: ResourceTypes
  readonly #graph: OwnerGraph
  /** Served types by apiVersion and kind; rebuilt when the types change. */
  #kinds = new Map<string, ResourceType>()
  #generation = -1
  /** Parsed metadata of owners: many dependents ask for the same owner. */
  readonly #facts = new WeakMap<CachedObject, { readonly uid: string; readonly waits: boolean }>()

  constructor(api: ApiReads, types: ResourceTypes, graph: OwnerGraph) {
    this.#api = api
    this.#types = types
    this.#graph = graph
  }

  /** The state of the owner as seen from the namespace; undefined is the view of a cluster-scoped object. */
  stateOf(reference: OwnerReference, namespace: string | undefined): OwnerState {
    if (this.#isGone(reference, namespace)) return 'absent'
    const type = this.#typeOf(reference)
    if (!type) return 'unknown'
    if (type.namespaced && namespace === undefined) return 'misplaced'
    const owner = this.#api.object(type, placeIn(type, namespace, reference.name))
    if (!owner) return 'absent'
    // A damaged object may be the owner; do not delete its dependents before a repair decides.
    if (owner.damage !== undefined) return 'unknown'
    const { uid, waits } = this.#factsOf(owner)
    if (uid !== reference.uid) return 'absent'
    return waits ? 'waiting' : 'solid'
  }

  /** Whether the owner exists in another namespace, where the dependent must not refer to. */
  isElsewhere(reference: OwnerReference, namespace: string | undefined): boolean {
    if (this.#graph.goneOwner(reference.uid)) return false
    const type = this.#typeOf(reference)
    if (!type?.namespaced) return false
    for (const { name } of this.#api.names(NAMESPACES, undefined, Number.POSITIVE_INFINITY)) {
      if (name === namespace) continue
      const found = this.#api.object(type, { namespace: name, name: reference.name })
      if (found && found.damage === undefined && this.#factsOf(found).uid === reference.uid) return true
    }
    return false
  }

  #isGone({ uid, apiVersion, kind, name }: OwnerReference, namespace: string | undefined): boolean {
    const gone = this.#graph.goneOwner(uid)
    if (!gone || gone.kind !== kind || gone.name !== name) return false
    if (gone.group !== parseGroupVersion(apiVersion)?.group) return false
    return gone.namespace === undefined || gone.namespace === namespace
  }

  #typeOf({ apiVersion, kind }: OwnerReference): ResourceType | undefined {
    if (this.#generation !== this.#types.generation) {
      const stored = this.#types.all().filter(({ verbs }) => verbs.includes('get'))
      this.#kinds = new Map(stored.map((type) => [`${apiVersionOf(type)} ${type.kind}`, type]))
      this.#generation = this.#types.generation
    }
    return this.#kinds.get(`${apiVersion} ${kind}`)
  }

  #factsOf(owner: CachedObject): { readonly uid: string; readonly waits: boolean } {
    let facts = this.#facts.get(owner)
    if (!facts) {
      const { uid = '', deletionTimestamp, finalizers = [] } = metadataOf(owner)
      facts = { uid, waits: deletionTimestamp !== undefined && finalizers.includes(FOREGROUND_FINALIZER) }
      this.#facts.set(owner, facts)
    }
    return facts
  }
}

function placeIn(type: ResourceType, namespace: string | undefined, name: string): ObjectName {
  return type.namespaced && namespace !== undefined ? { namespace, name } : { name }
}
