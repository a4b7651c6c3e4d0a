// Drops nulls that a schema does not allow and fills in defaults, in place.
// Runs after pruning, on requests and on what is read in an older form.

import { deepClone } from '@homeostat/meta'
import { fieldNode, ownField, type SchemaNode, setField } from '../compile/schema-node.ts'
import { MAX_DEPTH } from './prune.ts'

export function applyDefaults(value: unknown, node: SchemaNode | undefined, depth = 0): void {
  if (node === undefined || typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  if (Array.isArray(value)) fillItems(value, node, depth)
  else fillFields(value as Record<string, unknown>, node, depth)
}

function fillFields(object: Record<string, unknown>, node: SchemaNode, depth: number): void {
  if (node.defaults !== undefined) {
    for (const { name, node: property } of node.defaults) {
      const present = ownField(object, name)
      if (present === undefined || (present === null && !property.nullable)) {
        setField(object, name, deepClone(property.default))
      }
    }
  }
  for (const name in object) {
    const value = object[name]
    if (typeof value !== 'object') continue
    const child = fieldNode(node, name)
    if (child === undefined) continue
    if (value === null) fillNull(object, name, child)
    applyDefaults(object[name], child, depth + 1)
  }
}

/** A null that is still here has no default in `properties`; one for additionalProperties may be left. */
function fillNull(object: Record<string, unknown>, name: string, child: SchemaNode): void {
  if (child.nullable) return
  if (child.default === undefined) delete object[name]
  else setField(object, name, deepClone(child.default))
}

/** Nulls in a list keep their place, since the other items would move. */
function fillItems(list: unknown[], node: SchemaNode, depth: number): void {
  const items = node.items
  if (items === undefined) return
  for (let i = 0; i < list.length; i++) {
    const value = list[i]
    if (value === null && !items.nullable && items.default !== undefined) list[i] = deepClone(items.default)
    applyDefaults(list[i], items, depth + 1)
  }
}
