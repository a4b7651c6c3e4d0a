// All paths of a value, which its creator owns: every field, item and container.

import { isObject } from '../json/is-object.ts'
import type { MergeType } from '../merge/merge-type.ts'
import { type FieldSet, NOTHING, nodeOf, sortedNodeOf } from './field-set.ts'
import { isSortedByUnits, sortTexts } from './text-order.ts'
import { type Fields, fieldType, itemElement, type PartedList, partsOf } from './typed-value.ts'

/** The node of a value that was not there before. */
export function ownedNode(type: MergeType, value: unknown): FieldSet {
  const parts = partsOf(type, value)
  if (parts?.kind === 'map' && isObject(value)) {
    const children = fieldNames(value).map(
      (name) => [`f:${name}`, ownedNode(fieldType(parts, name), value[name])] as const,
    )
    return nodeOf(true, children) ?? NOTHING
  }
  if (parts?.kind === 'list' && Array.isArray(value)) return ownedItems(parts, value)
  return NOTHING
}

/** The names of the fields that are there, in order. */
export function fieldNames(fields: Fields): string[] {
  const names = Object.keys(fields)
  let previous = ''
  let sorted = true
  let gaps = false
  for (const name of names) {
    if (fields[name] === undefined) gaps = true
    if (name < previous || !isSortedByUnits(name)) sorted = false
    previous = name
  }
  const present = gaps ? names.filter((name) => fields[name] !== undefined) : names
  if (!sorted) sortTexts(present)
  return present
}

function ownedItems(list: PartedList, items: readonly unknown[]): FieldSet {
  const nodes = new Map<string, FieldSet>()
  for (const item of items) {
    const element = itemElement(list, item)
    // The fields of duplicate items have no owner.
    nodes.set(element, nodes.has(element) ? NOTHING : ownedNode(list.items, item))
  }
  return sortedNodeOf(true, nodes) ?? NOTHING
}
