// How the values at a place of an object are merged: the small type model that server-side apply, managed fields and
// strategic merge patches read. Schemas are compiled to it elsewhere; a place may contain itself.

import type { JsonValue } from '../json/json-value.ts'

export type MergeType = ScalarType | MapType | ListType | AnyType

/** A value that is taken as a whole. */
export interface ScalarType extends Place {
  readonly kind: 'scalar'
  /** Absent when any scalar may stand there. */
  readonly scalar?: 'number' | 'string' | 'boolean'
}

/** An object or a map. Atomic ones have one owner for everything inside. */
export interface MapType extends Place {
  readonly kind: 'map'
  readonly atomic: boolean
  /** Something else than an object may stand here, too; it is taken as a whole. */
  readonly loose?: boolean
  /** The type of a field; undefined when the schema has no such field. */
  field(name: string): MergeType | undefined
  /** Whether the schema has the field by its name, and not only a type for all others. */
  names(name: string): boolean
}

/** A list: one value, or a set of scalars, or items known by their keys. */
export interface ListType extends Place {
  readonly kind: 'list'
  readonly list: 'atomic' | 'set' | 'map'
  /** Of a `map` list, in the order of the schema. An item that leaves a key out has its default. */
  readonly keys: readonly ListKey[]
  readonly items: MergeType
}

/** The type of values without a schema: objects merge field by field, all other values are atomic. */
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
export const STRING: ScalarType = { kind: 'scalar', scalar: 'string' }
export const NUMBER: ScalarType = { kind: 'scalar', scalar: 'number' }
export const BOOLEAN: ScalarType = { kind: 'scalar', scalar: 'boolean' }
export const ANY: AnyType = { kind: 'any' }

/** A map type from a plain record of its fields; `others` is the type of every other field. */
export function mapType(
  fields: Readonly<Record<string, MergeType>>,
  options: { others?: MergeType; atomic?: boolean; loose?: boolean; patch?: PatchStrategy } = {},
): MapType {
  const { others, atomic = false, loose, patch } = options
  const known = new Map(Object.entries(fields))
  return {
    kind: 'map',
    atomic,
    ...(loose && { loose }),
    field: (name) => known.get(name) ?? others,
    names: (name) => known.has(name),
    ...(patch && { patch }),
  }
}

/** Labels, finalizers and the like: the same in every object. */
export const METADATA_TYPE: MapType = mapType({
  name: STRING,
  generateName: STRING,
  namespace: STRING,
  selfLink: STRING,
  uid: STRING,
  resourceVersion: STRING,
  generation: NUMBER,
  creationTimestamp: SCALAR,
  deletionTimestamp: SCALAR,
  deletionGracePeriodSeconds: NUMBER,
  labels: mapType({}, { others: STRING }),
  annotations: mapType({}, { others: STRING }),
  finalizers: {
    kind: 'list',
    list: 'set',
    keys: [],
    items: STRING,
    patch: { merge: true, retainKeys: false, replace: false },
  },
  ownerReferences: {
    kind: 'list',
    list: 'map',
    keys: [{ name: 'uid' }],
    items: mapType(
      {
        apiVersion: STRING,
        kind: STRING,
        name: STRING,
        uid: STRING,
        controller: BOOLEAN,
        blockOwnerDeletion: BOOLEAN,
      },
      { atomic: true },
    ),
    patch: { merge: true, mergeKey: 'uid', retainKeys: false, replace: false },
  },
  managedFields: { kind: 'list', list: 'atomic', keys: [], items: ANY },
})
