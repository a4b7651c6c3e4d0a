// Lists of type set hold no value twice, lists of type map no key twice.

import { isObject } from '@homeostat/meta'
import { duplicate, invalidValue } from '@homeostat/meta/server'
import { MAX_DEPTH } from '../compile/field-path.ts'
import { ownField, type SchemaNode, setField } from '../compile/schema-node.ts'
import { repeatedAt } from './duplicates.ts'
import type { Validation } from './validation.ts'

/** Skips lists that are the same object in `old`: lists that were invalid before may stay. */
export function checkLists(run: Validation, node: SchemaNode, value: unknown, old: unknown): void {
  if (value === old || !node.hasListTypes || run.full || run.path.depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    if (node.listType === 'set') checkSet(run, value)
    if (node.listType === 'map') checkMap(run, node, value)
    if (node.items?.hasListTypes) checkItems(run, node.items, value)
  } else if (isObject(value)) checkFields(run, node, value, isObject(old) ? old : undefined)
}

function checkItems(run: Validation, items: SchemaNode, list: unknown[]): void {
  for (let i = 0; i < list.length; i++) {
    run.path.push(i)
    checkLists(run, items, list[i], undefined)
    run.path.pop()
  }
}

function checkFields(
  run: Validation,
  node: SchemaNode,
  object: Record<string, unknown>,
  old: Record<string, unknown> | undefined,
): void {
  for (const name in object) {
    const value = object[name]
    if (typeof value !== 'object' || value === null) continue
    const known = node.properties?.get(name)
    const child = known ?? node.additional
    if (typeof child !== 'object' || !child.hasListTypes) continue
    if (known === undefined) run.path.pushKey(name)
    else run.path.push(name)
    checkLists(run, child, value, old && ownField(old, name))
    run.path.pop()
  }
}

function checkSet(run: Validation, list: unknown[]): void {
  for (const place of repeatedAt(list)) refuse(run, place, list[place])
}

function checkMap(run: Validation, node: SchemaNode, list: unknown[]): void {
  const keys: unknown[] = []
  const [first = ''] = node.mapKeys
  for (let i = 0; i < list.length; i++) {
    const item = list[i]
    if (item !== null && !isObject(item)) {
      run.path.push(i)
      run.add(invalidValue(run.field, item, 'must be an object for an array of list-type map'))
      run.path.pop()
      return
    }
    keys.push(node.mapKeys.length === 1 ? item && ownField(item, first) : keyOf(node, item))
  }
  for (const place of repeatedAt(keys)) refuse(run, place, keyOf(node, list[place]))
}

function keyOf(node: SchemaNode, item: unknown): Record<string, unknown> {
  const key: Record<string, unknown> = {}
  for (const name of node.mapKeys) {
    const value = isObject(item) ? ownField(item, name) : undefined
    if (value !== undefined) setField(key, name, value)
  }
  return key
}

function refuse(run: Validation, place: number, value: unknown): void {
  run.path.push(place)
  run.add(duplicate(run.field, value))
  run.path.pop()
}
