// Removes the paths of a set from a value. A container that loses all its parts but not its own path stays, null or empty.

import { isObject } from '../json/is-object.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import { type FieldSet, isEmptySet, isMember } from './field-set.ts'
import { type Fields, fieldType, itemElement, partsOf, setField } from './typed-value.ts'

export type Emptied = 'null' | 'empty'

/** The value itself when nothing is taken out. */
export function removeFields(type: MergeType, value: unknown, set: FieldSet, emptied: Emptied): unknown {
  const parts = partsOf(type, value)
  if (parts === undefined) return isWholeScalar(type, value) ? value : null
  if (parts.kind === 'map') {
    return isObject(value) ? fieldsWithout(parts, value, set, emptied) : null
  }
  if (!Array.isArray(value)) return null
  const items: unknown[] = []
  let same = true
  for (const item of value) {
    const node = set[itemElement(parts, item)]
    if (node !== undefined && isMember(node)) {
      same = false
      continue
    }
    const kept = node === undefined ? item : removeFields(parts.items, item, node, 'null')
    if (kept !== item) same = false
    // Without any part, its keys among them, nothing says which item it was.
    if (kept !== null) items.push(kept)
  }
  if (items.length === 0) return emptied === 'null' ? null : items
  return same ? value : items
}

function fieldsWithout(map: MapType, fields: Fields, set: FieldSet, emptied: Emptied): unknown {
  const kept: Record<string, unknown> = {}
  let count = 0
  let same = true
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    if (value === undefined) continue
    const node = set[`f:${name}`]
    if (node !== undefined && isMember(node)) {
      same = false
      continue
    }
    const rest =
      node === undefined || isEmptySet(node) ? value : removeFields(fieldType(map, name), value, node, emptied)
    if (rest !== value) same = false
    setField(kept, name, rest)
    count++
  }
  if (count === 0) return emptied === 'null' ? null : kept
  return same ? fields : kept
}

function isWholeScalar(type: MergeType, value: unknown): boolean {
  return type.kind === 'scalar' || (value !== null && typeof value !== 'object')
}
