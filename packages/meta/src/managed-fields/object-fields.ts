// Owned and changed fields of whole objects: fields that identify an object or belong to the server have no owner, and a
// write may not own further fields (`reset`), such as the status outside of its subresource.

import type { MapType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { compareFields, type FieldChanges, NO_CHANGES, type Skip } from './compare-fields.ts'
import { difference, type FieldSet, recursiveDifference, setOfPaths } from './field-set.ts'
import { ownedNode } from './owned-fields.ts'

export const UNOWNED_METADATA: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
])

const UNOWNED = setOfPaths([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[...UNOWNED_METADATA].map((name) => ['metadata', name]),
])

export type ResetPaths = readonly (readonly string[])[]

export function withoutUnowned(set: FieldSet): FieldSet {
  return difference(set, UNOWNED)
}

export function withoutReset(set: FieldSet, reset: ResetPaths): FieldSet {
  return reset.length === 0 ? set : recursiveDifference(set, setOfPaths(reset))
}

/** The fields that the creator of the object owns. */
export function ownedFields(type: MapType, object: KubeObject, reset: ResetPaths): FieldSet {
  return withoutReset(withoutUnowned(ownedNode(type, object)), reset)
}

export function compareObjects(type: MapType, before: KubeObject, after: KubeObject, reset: ResetPaths): FieldChanges {
  if (before === after) return NO_CHANGES
  const { changed, removed } = compareFields(type, before, after, NOT_COMPARED)
  return { changed: withoutReset(changed, reset), removed: withoutReset(removed, reset) }
}

const NOT_COMPARED: Skip = new Map([
  ['apiVersion', undefined],
  ['kind', undefined],
  ['metadata', new Map([...UNOWNED_METADATA].map((name) => [name, undefined]))],
])
