// Merges two lists, as strategic merge patches do: scalars as a set, objects by their merge key, with directives in
// between the items of the patch. In time that grows with the lists, not with their product.

import { deepClone } from '../json/deep.ts'
import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import { failure } from '../status/status-errors.ts'
import {
  badOrderKey,
  listOfLists,
  listWithoutMergeKey,
  mixedItems,
  noMergeKey,
  otherOrder,
  unknownDirective,
  wrongType,
} from './strategic-errors.ts'
import { arrange, keyOf } from './strategic-order.ts'

export const DIRECTIVE = '$patch'

export type JsonObject = { [key: string]: JsonValue }
export type MergeItem = (original: JsonObject, patch: JsonObject) => JsonValue

export interface MergedList {
  readonly items: JsonValue[]
  /** The order that everything else keeps: the live list without what the patch deletes. Added items fill the gaps. */
  readonly live: readonly JsonValue[]
}

export function mergeLists(
  original: JsonValue[],
  patch: JsonValue[],
  mergeKey: string | undefined,
  mergeItem: MergeItem,
): MergedList {
  if (original.length === 0 && patch.length === 0) return { items: original, live: original }
  if (!holdObjects(original, patch)) {
    const items = arrange([...new Set([...original, ...patch])], patch, original, undefined)
    return { items, live: original }
  }
  if (mergeKey === undefined) throw listWithoutMergeKey()
  const { plain, deleted, replace } = readDirectives(patch as JsonObject[], mergeKey)
  const live = deleted.size === 0 ? original : original.filter((item) => !deleted.has(keyOf(item, mergeKey)))
  if (replace) return { items: deepClone(plain).map((item) => keyed(item, mergeKey)), live }
  const items = mergeByKey(live as JsonObject[], plain, mergeKey, mergeItem)
  return { items: arrange(items, plain, live, mergeKey), live: items.slice(0, original.length) }
}

/** `$deleteFromPrimitiveList`. */
export function deleteItems(original: JsonValue[], deleted: JsonValue[]): JsonValue[] {
  const gone = new Set(deleted)
  return original.filter((item) => !gone.has(item))
}

/** `$setElementOrder`: the wanted order of a list that has been merged already. */
export function applyOrder(merged: MergedList, order: JsonValue[], mergeKey: string | undefined): JsonValue[] {
  for (const item of mergeKey === undefined ? [] : [...merged.items, ...order]) keyed(item, mergeKey ?? '')
  return arrange(merged.items, order, merged.live, mergeKey)
}

/** What the patch adds or changes must stand in `$setElementOrder`, in the same order. */
export function checkOrder(patch: JsonValue[], order: JsonValue[], mergeKey: string | undefined): void {
  // Objects without a key have no order that could be told. The API server panics here.
  if (mergeKey === undefined && [...patch, ...order].some((item) => typeof item === 'object')) throw badOrderKey()
  if (patch.length === 0 || order.length === 0) return
  let next = 0
  const named = patch.filter((item) => !(isObject(item) && item[DIRECTIVE] === 'delete'))
  for (const item of order) {
    while (isDirective(named[next])) next++
    if (next >= named.length) return
    const given = named[next] ?? null
    if (mergeKey !== undefined) {
      keyed(given, mergeKey)
      keyed(item, mergeKey)
    }
    if (keyOf(given, mergeKey) === keyOf(item, mergeKey)) next++
  }
  if (next < named.length) throw otherOrder(patch, order)
}

function isDirective(item: JsonValue | undefined): boolean {
  return isObject(item) && Object.hasOwn(item, DIRECTIVE)
}

/** All items of both lists must be of one kind; true when that is objects. */
export function holdObjects(...lists: JsonValue[][]): boolean {
  let kind: string | undefined
  for (const list of lists) {
    for (const item of list) {
      const here = Array.isArray(item) ? 'list' : item === null ? 'null' : typeof item
      if (kind === undefined && here === 'list') throw listOfLists()
      kind ??= here
      if (here !== kind || here === 'null') throw mixedItems(...lists)
    }
  }
  if (kind === undefined) throw failure(500, 'no elements in any of the given slices')
  return kind === 'object'
}

function readDirectives(patch: readonly JsonObject[], mergeKey: string) {
  const plain: JsonObject[] = []
  const deleted = new Set<JsonValue | undefined>()
  let replace = false
  for (const item of patch) {
    const directive = item[DIRECTIVE]
    if (directive === undefined) plain.push(item)
    else if (directive === 'delete') deleted.add(keyOf(keyed(item, mergeKey), mergeKey))
    else if (directive === 'replace') replace = true
    else if (directive === 'merge') throw failure(500, 'merging lists cannot yet be specified in the patch')
    else throw unknownDirective(directive, item)
  }
  return { plain, deleted, replace }
}

function mergeByKey(
  live: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): JsonValue[] {
  const items: JsonValue[] = [...live]
  const places = new Map<JsonValue | undefined, number>()
  for (const [index, item] of live.entries()) {
    const key = keyOf(keyed(item, mergeKey), mergeKey)
    if (!places.has(key)) places.set(key, index)
  }
  for (const item of patch) {
    const key = keyOf(keyed(item, mergeKey), mergeKey)
    const place = places.get(key)
    if (place === undefined) {
      places.set(key, items.length)
      items.push(deepClone(item))
    } else items[place] = mergeItem(items[place] as JsonObject, item)
  }
  return items
}

function keyed(item: JsonValue, mergeKey: string): JsonObject {
  if (!isObject(item)) throw wrongType('map[string]interface {}', item)
  if (item[mergeKey] === undefined) throw noMergeKey(item, mergeKey)
  return item
}
