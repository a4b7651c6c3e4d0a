// The part of an object that a set of fields names: what a manager applied, as it is now, without what others and the
// server added. It needs no schema, so clients can ask it of any kind. What is taken whole is shared with the object.

import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import { type FieldSet, isEmptySet } from './field-set.ts'
import { keyElement, keyPairs, valueElement } from './path-element.ts'

/**
 * Items of lists keep their order. A key field of an item that the set does not name had its value from a default, and
 * is left out, unless the set names no key field of the item at all. What the set names and the object does not have,
 * or has as null, is added to `absent`.
 */
export function extractFields(object: object, fields: FieldSet, absent?: AbsentField[]): Record<string, unknown> {
  return isEmptySet(fields)
    ? {}
    : someFields(object as Fields, fields, absent && { list: absent, outer: undefined, step: '' })
}

/** Names of fields, and places in lists, of what is extracted. */
export type AbsentField = readonly (string | number)[]

/** Where in the object, and what was named so far that is not there. Paths are made for those alone. */
interface Place {
  readonly list: AbsentField[]
  readonly outer: Place | undefined
  readonly step: string | number
}

function inside(outer: Place | undefined, step: string | number): Place | undefined {
  return outer && { list: outer.list, outer, step }
}

function note(place: Place): void {
  const path: (string | number)[] = []
  for (let at = place; at.outer !== undefined; at = at.outer) path.unshift(at.step)
  place.list.push(path)
}

type Fields = { readonly [name: string]: unknown }

/** Undefined when nothing that the node names is there. */
function extract(value: unknown, node: FieldSet, place: Place | undefined): unknown {
  if (!hasChildren(node)) {
    if (place && (value === undefined || value === null)) note(place)
    return value
  }
  if (Array.isArray(value)) return someItems(value, node, place)
  return isObject(value) ? someFields(value, node, place) : undefined
}

function someFields(value: Fields, node: FieldSet, place: Place | undefined): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const element in node) {
    const child = node[element]
    if (child === undefined || !element.startsWith('f:')) continue
    const name = element.slice(2)
    const part = extract(Object.hasOwn(value, name) ? value[name] : undefined, child, inside(place, name))
    if (part !== undefined) entries.push([name, part])
  }
  return Object.fromEntries(entries)
}

function someItems(items: readonly unknown[], node: FieldSet, place: Place | undefined): unknown[] {
  const keys = keysOf(node)
  const taken: unknown[] = []
  for (const [index, item] of items.entries()) {
    const found = findItem(item, index, node, keys)
    if (found === undefined) continue
    const part = extract(item, found.node, inside(place, taken.length))
    taken.push(found.names && isObject(item) && isObject(part) ? withKeys(item, part, found) : part)
  }
  return taken
}

interface FoundItem {
  readonly node: FieldSet
  /** The key fields of an item that has some. */
  readonly names?: readonly string[]
}

interface ListKeys {
  readonly names: readonly string[]
  /** Elements with these names, for items that leave a key field to its default. */
  readonly elements: readonly { readonly text: string; readonly values: readonly JsonValue[] }[]
}

function findItem(item: unknown, index: number, node: FieldSet, keys: readonly ListKeys[]): FoundItem | undefined {
  const byIndex = node[`i:${index}`]
  if (byIndex !== undefined) return { node: byIndex }
  if (isObject(item)) {
    for (const { names, elements } of keys) {
      const found = node[elementOf(item, names, elements) ?? '']
      if (found !== undefined) return { node: found, names }
    }
  }
  const byValue = node[valueElement(item as JsonValue)]
  return byValue && { node: byValue }
}

function elementOf(item: Fields, names: readonly string[], elements: ListKeys['elements']): string | undefined {
  const values = names.map((name) => item[name] as JsonValue | undefined)
  if (values.every((value) => value !== undefined)) {
    return keyElement(names.map((name, index) => ({ name, value: values[index] ?? null })))
  }
  if (values.every((value) => value === undefined)) return undefined
  return elements.find((element) =>
    values.every((value, index) => value === undefined || value === element.values[index]),
  )?.text
}

function withKeys(item: Fields, part: Fields, { node, names = [] }: FoundItem): Fields {
  if (!hasChildren(node) || names.some((name) => node[`f:${name}`] !== undefined)) return part
  const keys = names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]] as const)
  return { ...Object.fromEntries(keys), ...part }
}

/** All items of a list have the same keys, so there is one entry, unless the keys of the kind changed. */
function keysOf(node: FieldSet): ListKeys[] {
  const known = new Map<string, { names: string[]; elements: { text: string; values: JsonValue[] }[] }>()
  for (const text in node) {
    if (!text.startsWith('k:')) continue
    const pairs = keyPairs(text)
    const names = pairs.map(({ name }) => name)
    const id = JSON.stringify(names)
    const keys = known.get(id) ?? { names, elements: [] }
    keys.elements.push({ text, values: pairs.map(({ value }) => value) })
    known.set(id, keys)
  }
  return [...known.values()]
}

function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== '.') return true
  return false
}
