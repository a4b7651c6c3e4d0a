// Adapts a set to a schema that changed since it was written: where a value has become atomic, the set holds its path
// instead of the paths below.

import type { MapType, MergeType } from '../merge/merge-type.ts'
import { type FieldSet, isEmptySet, NOTHING } from './field-set.ts'

/** The set itself when it fits the type. */
export function reconcileFields(set: FieldSet, type: MapType): FieldSet {
  return reconcileNode(set, type)
}

function reconcileNode(node: FieldSet, type: MergeType): FieldSet {
  if (isEmptySet(node)) return node
  if (type.kind === 'scalar' || type.kind === 'any') return node
  if (type.kind === 'list' ? type.list === 'atomic' : type.atomic) return NOTHING
  let changed: Record<string, FieldSet> | undefined
  for (const element in node) {
    const child = node[element]
    if (element === '.' || child === undefined) continue
    const below = typeBelow(type, element)
    if (below === undefined) continue
    const fitting = reconcileNode(child, below)
    if (fitting === child) continue
    changed ??= { ...node }
    changed[element] = fitting
  }
  return changed ?? node
}

function typeBelow(type: MergeType, element: string): MergeType | undefined {
  if (type.kind === 'list') return type.items
  if (type.kind !== 'map' || !element.startsWith('f:')) return undefined
  return type.field(element.slice(2))
}
