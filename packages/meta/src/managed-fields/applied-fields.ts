// The paths that an applied configuration claims: its leaves, list items and the keys of maps. Containers that the
// schema names are not claimed, so that others may add to them.

import { isObject } from '../json/is-object.ts'
import { MAX_JSON_WEIGHT } from '../json/json-weight.ts'
import type { MergeType } from '../merge/merge-type.ts'
import { holdsTooMuch } from '../status/status-errors.ts'
import { type FieldSet, NOTHING, nodeOf, sortedNodeOf } from './field-set.ts'
import { fieldNames } from './owned-fields.ts'
import { fieldType, hasFields, itemElement, type PartedList, partsOf } from './typed-value.ts'

export function appliedFields(type: MergeType, value: unknown): FieldSet {
  return appliedNode(type, value, false) ?? NOTHING
}

function appliedNode(type: MergeType, value: unknown, claimed: boolean): FieldSet | undefined {
  const parts = partsOf(type, value)
  if (parts === undefined) return NOTHING
  if (parts.kind === 'list') return Array.isArray(value) ? appliedItems(parts, value, claimed) : nodeOf(claimed, [])
  if (!isObject(value)) return nodeOf(claimed, [])
  const children: [string, FieldSet][] = []
  for (const name of fieldNames(value)) {
    const field = value[name]
    const node = appliedNode(fieldType(parts, name), field, !parts.names(name) || isBlank(field))
    if (node !== undefined) children.push([`f:${name}`, node])
  }
  return nodeOf(claimed, children)
}

function appliedItems(list: PartedList, items: readonly unknown[], claimed: boolean): FieldSet | undefined {
  if (items.length > MAX_ITEMS)
    throw holdsTooMuch(`an apply owns each of the ${items.length} items of a list, the limit is ${MAX_ITEMS}`)
  const nodes = new Map<string, FieldSet>()
  for (const item of items) {
    const element = itemElement(list, item)
    const node = nodes.has(element) ? NOTHING : appliedNode(list.items, item, true)
    nodes.set(element, node ?? NOTHING)
  }
  return sortedNodeOf(claimed, nodes)
}

/** An item weighs one, and the field that says who owns it four: with more, no object may be stored. */
const MAX_ITEMS = MAX_JSON_WEIGHT / 5

function isBlank(value: unknown): boolean {
  return value === null || (isObject(value) && !hasFields(value))
}
