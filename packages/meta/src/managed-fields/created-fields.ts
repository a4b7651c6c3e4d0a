// managedFields of a new object as JSON text, written in one walk: every create pays for this, so nothing is built
// that is not in the text. It says the same as `ownedFields`, which makes the set.

import { isObject } from '../json/is-object.ts'
import { MAX_JSON_WEIGHT } from '../json/json-weight.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { simpleItems } from './created-items.ts'
import type { CreatedShapes } from './created-shapes.ts'
import { type FieldWrite, identityOf, typeOfWrite, type VersionedTypes } from './field-write.ts'
import { type ResetPaths, UNOWNED_METADATA } from './object-fields.ts'
import { sortElements } from './path-element.ts'
import { sortTexts } from './text-order.ts'
import { type Fields, fieldType, ItemError, itemElement, type PartedList, partsOf } from './typed-value.ts'

/** The text of the whole list with its one entry; undefined when nothing is owned. */
export function createdFields(object: KubeObject, write: FieldWrite, types: VersionedTypes): string | undefined {
  const set = createdSet(typeOfWrite(write, types), object, write.reset, types.memory?.shapes)
  return set === '' ? undefined : flattened(entryText(set, write))
}

function entryText(set: string, write: FieldWrite): string {
  const { manager, apiVersion, subresource } = identityOf(write, 'Update')
  const who = `"manager":${JSON.stringify(manager)},"operation":"Update","apiVersion":${JSON.stringify(apiVersion)}`
  const where = subresource ? `,"subresource":${JSON.stringify(subresource)}` : ''
  return `[{${who},"time":${JSON.stringify(write.time)},"fieldsType":"FieldsV1","fieldsV1":{${set}}${where}}]`
}

/** Flattens the V8 rope string: concatenation leaves a tree, and every copy of a tree is slow. */
function flattened(text: string): string {
  text.charCodeAt(0)
  return text
}

function createdSet(type: MapType, object: KubeObject, reset: ResetPaths, shapes: CreatedShapes | undefined): string {
  const known = shapes?.setOf(type, object, reset)
  if (known !== undefined) return known
  try {
    const set = objectText(type, object, reset)
    shapes?.remember(type, object, reset, set)
    return set
  } catch (error) {
    // As with the real server: when items cannot be told apart, nothing is tracked.
    if (error instanceof ItemError) return ''
    throw error
  }
}

function objectText(type: MapType, object: Fields, reset: ResetPaths): string {
  let text = ''
  for (const name of orderedNames(object)) {
    const value = object[name]
    if (value === undefined || name === 'apiVersion' || name === 'kind') continue
    const away = reset.length === 0 ? NO_PATHS : below(reset, name)
    if (away === undefined) continue
    let inner: string
    if (name === 'metadata') {
      inner = metadataText(fieldType(type, name), value, away)
      if (inner === '') continue
    } else inner = nodeText(fieldType(type, name), value, away)
    text += `${text === '' ? '' : ','}${JSON.stringify(`f:${name}`)}:{${inner}}`
  }
  return text
}

function metadataText(type: MergeType, value: unknown, reset: ResetPaths): string {
  if (type.kind !== 'map' || !isObject(value)) return ''
  const owned: Record<string, unknown> = {}
  for (const name in value) if (!UNOWNED_METADATA.has(name)) owned[name] = value[name]
  return fieldsText(type, owned, reset)
}

/** The children of a node, without braces. */
function fieldsText(map: MapType, fields: Fields, reset: ResetPaths): string {
  const names = Object.keys(fields)
  const plain = putInOrder(names)
  let text = ''
  for (const name of names) {
    const value = fields[name]
    if (value === undefined) continue
    const away = reset.length === 0 ? NO_PATHS : below(reset, name)
    if (away === undefined) continue
    const inner = typeof value === 'object' && value !== null ? nodeText(fieldType(map, name), value, away) : ''
    if (text !== '') text += ','
    text += plain ? `"f:${name}":{${inner}}` : `${JSON.stringify(`f:${name}`)}:{${inner}}`
  }
  return text
}

function nodeText(type: MergeType, value: unknown, reset: ResetPaths): string {
  const parts = partsOf(type, value)
  let text = ''
  if (parts?.kind === 'map') text = isObject(value) ? fieldsText(parts, value, reset) : ''
  else if (parts?.kind === 'list') text = Array.isArray(value) ? itemsText(parts, value) : ''
  return text === '' ? '' : `".":{},${text}`
}

/** Reset paths have no items in them. */
function itemsText(list: PartedList, items: readonly unknown[]): string {
  // The set, or the items themselves, would weigh more than an object may, so that it would be dropped in the end.
  if (items.length > MAX_ITEMS || (items.length > MANY_ITEMS && weightOf(items) > MAX_JSON_WEIGHT))
    throw new ItemError('a list is too long for its items to be owned')
  let text = ''
  const simple = simpleItems(list, items)
  if (simple !== undefined) {
    for (const { quoted, item } of simple) {
      const inner = list.list === 'map' ? nodeText(list.items, item, NO_PATHS) : ''
      text += text === '' ? `${quoted}:{${inner}}` : `,${quoted}:{${inner}}`
    }
    return text
  }
  const nodes = new Map<string, string>()
  for (const item of items) {
    const element = itemElement(list, item)
    // The fields of duplicate items have no owner.
    nodes.set(element, nodes.has(element) ? '' : nodeText(list.items, item, NO_PATHS))
  }
  const elements = [...nodes.keys()]
  sortElements(elements)
  for (const element of elements) {
    text += `${text === '' ? '' : ','}${JSON.stringify(element)}:{${nodes.get(element)}}`
  }
  return text
}

const MAX_ITEMS = MAX_JSON_WEIGHT / 4
/** Below this number the items are not weighed. */
const MANY_ITEMS = MAX_ITEMS / 4

/** The least that they weigh: a key counts three, an item one. Defaults may have made them heavier than what was sent. */
function weightOf(items: readonly unknown[]): number {
  let weight = items.length
  for (const item of items) if (isObject(item)) weight += 3 * Object.keys(item).length
  return weight
}

const NO_PATHS: ResetPaths = []

/** What is left of the paths below a field; undefined when the field itself is reset. */
function below(reset: ResetPaths, name: string): ResetPaths | undefined {
  let left = NO_PATHS
  for (const path of reset) {
    if (path[0] !== name) continue
    if (path.length === 1) return undefined
    left = [...left, path.slice(1)]
  }
  return left
}

function orderedNames(fields: Fields): string[] {
  const names = Object.keys(fields)
  putInOrder(names)
  return names
}

const FEW = 16

/** Sorts the names; true when none of them needs an escape. */
function putInOrder(names: string[]): boolean {
  let plain = true
  let sorted = true
  let previous = ''
  for (const name of names) {
    if (!isPlain(name)) plain = false
    if (name < previous) sorted = false
    previous = name
  }
  if (!plain || (!sorted && names.length > FEW)) sortTexts(names)
  else if (!sorted) insertionSort(names)
  return plain
}

/** For a few names; sort() takes a detour over its own copy. */
function insertionSort(names: string[]): void {
  for (let at = 1; at < names.length; at++) {
    const name = names[at] ?? ''
    let to = at
    for (; to > 0; to--) {
      const other = names[to - 1] ?? ''
      if (other <= name) break
      names[to] = other
    }
    names[to] = name
  }
}

/** Whether a name needs no escape and sorts by its code units. */
function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false
  }
  return true
}
