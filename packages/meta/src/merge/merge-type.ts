// How the values at a place of an object are merged: the small type model that server-side apply, managed fields and
// strategic merge patches read. Schemas are compiled to it elsewhere; a place may contain itself.

import type { JsonValue } from '../json/json-value.ts'

export type MergeType = ScalarType | MapType | ListType | AnyType

/** A value that is taken as a whole. */
export interface ScalarType extends Place {
  readonly kind: 'scalar'
}

/** An object or a map. Atomic ones have one owner for everything inside. */
export interface MapType extends Place {
  readonly kind: 'map'
  readonly atomic: boolean
  /** The type of a field; undefined when the schema has no such field. */
  field(name: string): MergeType | undefined
}

/** A list: one value, or a set of scalars, or items known by their keys. */
export interface ListType extends Place {
  readonly kind: 'list'
  readonly list: 'atomic' | 'set' | 'map'
  /** Of a `map` list, in the order of the schema. An item that leaves a key out has its default. */
  readonly keys: readonly ListKey[]
  readonly items: MergeType
}

/** Nothing is known: objects merge field by field, everything else is taken as a whole. */
export interface AnyType extends Place {
  readonly kind: 'any'
}

export interface ListKey {
  readonly name: string
  readonly default?: JsonValue
}

interface Place {
  /** What a strategic merge patch does here; absent for its usual way (objects merge, lists are replaced). */
  readonly patch?: PatchStrategy
}

export interface PatchStrategy {
  /** Lists merge instead of being replaced: objects by `mergeKey`, scalars as a set. */
  readonly merge: boolean
  readonly mergeKey?: string
  /** The patch names the fields that stay ($retainKeys). */
  readonly retainKeys: boolean
  /** Objects are replaced, not merged. */
  readonly replace: boolean
}

export const SCALAR: ScalarType = { kind: 'scalar' }
export const ANY: AnyType = { kind: 'any' }

/** A map type from a plain record of its fields; `others` is the type of every other field. */
export function mapType(
  fields: Readonly<Record<string, MergeType>>,
  options: { others?: MergeType; atomic?: boolean; patch?: PatchStrategy } = {},
): MapType {
  const { others, atomic = false, patch } = options
  const known = new Map(Object.entries(fields))
  return { kind: 'map', atomic, field: (name) => known.get(name) ?? others, ...(patch && { patch }) }
}

/** Labels, finalizers and the like: the same in every object. */
export const METADATA_TYPE: MapType = mapType({
  name: SCALAR,
  generateName: SCALAR,
  namespace: SCALAR,
  selfLink: SCALAR,
  uid: SCALAR,
  resourceVersion: SCALAR,
  generation: SCALAR,
  creationTimestamp: SCALAR,
  deletionTimestamp: SCALAR,
  deletionGracePeriodSeconds: SCALAR,
  labels: mapType({}, { others: SCALAR }),
  annotations: mapType({}, { others: SCALAR }),
  finalizers: {
    kind: 'list',
    list: 'set',
    keys: [],
    items: SCALAR,
    patch: { merge: true, retainKeys: false, replace: false },
  },
  ownerReferences: {
    kind: 'list',
    list: 'map',
    keys: [{ name: 'uid' }],
    items: mapType(
      {
        apiVersion: SCALAR,
        kind: SCALAR,
        name: SCALAR,
        uid: SCALAR,
        controller: SCALAR,
        blockOwnerDeletion: SCALAR,
      },
      { atomic: true },
    ),
    patch: { merge: true, mergeKey: 'uid', retainKeys: false, replace: false },
  },
  managedFields: { kind: 'list', list: 'atomic', keys: [], items: ANY },
})
