// Relates items of a list to those of the old list. Only lists of type map have keys to do it by;
// sets and atomic lists count as changed as soon as anything in them changes.

import type { SchemaNode } from '../compile/schema-node.ts'
import { ownField } from '../compile/schema-node.ts'
import { isRecord } from '../json-schema.ts'
import { identity } from './duplicates.ts'

/** The old item for each new one; undefined where there is none. */
export function oldItems(node: SchemaNode, list: unknown[], old: unknown[]): unknown[] | undefined {
  if (node.mapKeys.length === 0) return undefined
  const byKey = new Map<unknown, unknown>()
  for (const item of old) byKey.set(itemKey(node, item), item)
  return list.map((item) => byKey.get(itemKey(node, item)))
}

function itemKey(node: SchemaNode, item: unknown): unknown {
  if (!isRecord(item)) return undefined
  return identity(node.mapKeys.map((name) => ownField(item, name) ?? null))
}
