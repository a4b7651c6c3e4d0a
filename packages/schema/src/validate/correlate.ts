// Relates items of a list to those of the old list. Only lists of type map have keys to do it by;
// sets and atomic lists count as changed as soon as anything in them changes.

import { deepEqual, isObject } from '@homeostat/meta'
import type { SchemaNode } from '../compile/schema-node.ts'
import { ownField } from '../compile/schema-node.ts'
import { identity } from './duplicates.ts'

/** The old item for each new one; undefined where there is none. */
export function oldItems(node: SchemaNode, list: unknown[], old: unknown[]): unknown[] | undefined {
  if (node.mapKeys.length === 0) return undefined
  const byKey = new Map<unknown, unknown>()
  for (const item of old) byKey.set(itemKey(node, item), item)
  return list.map((item) => byKey.get(itemKey(node, item)))
}

/** Whether a value is what it was. In a list of type map items may have moved. */
export function isUnchanged(node: SchemaNode, value: unknown, old: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    const { items } = node
    const before = items && oldItems(node, value, old)
    if (items === undefined || before === undefined) return deepEqual(value, old)
    if (value.length !== old.length) return false
    // Items that are no objects have no keys to be found by.
    return value.every((item, i) => isUnchanged(items, item, before[i])) || deepEqual(value, old)
  }
  if (!isObject(value) || !isObject(old)) return deepEqual(value, old)
  const names = new Set([...Object.keys(value), ...Object.keys(old)])
  for (const name of names) {
    const child = node.properties?.get(name) ?? node.additional
    const [one, other] = [ownField(value, name), ownField(old, name)]
    const same = typeof child === 'object' ? isUnchanged(child, one, other) : deepEqual(one, other)
    if (!same) return false
  }
  return true
}

function itemKey(node: SchemaNode, item: unknown): unknown {
  if (!isObject(item)) return undefined
  return identity(node.mapKeys.map((name) => ownField(item, name) ?? null))
}
