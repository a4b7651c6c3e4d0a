// The merge type of a value, and safe access to its fields: values come from clients, so a field may be called
// `constructor`.

import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import { ANY, type ListType, type MapType, type MergeType } from '../merge/merge-type.ts'
import { type KeyPair, keyElement, valueElement } from './path-element.ts'

export type Fields = Readonly<Record<string, unknown>>

export function hasFields(value: unknown): value is Fields {
  if (!isObject(value)) return false
  for (const name in value) if (value[name] !== undefined) return true
  return false
}

/** The field's value; undefined when absent. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Sets a field on a fresh object, whatever its name. */
export function setField(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true })
  else fields[name] = value
}

/** Objects whose fields are known by nothing but their names. */
export const ANY_MAP: MapType = { kind: 'map', atomic: false, field: () => ANY, names: () => false }

/** The type of what has parts that different managers may own; undefined when the value is owned as a whole. */
export function partsOf(type: MergeType, value: unknown): MapType | PartedList | undefined {
  switch (type.kind) {
    case 'scalar':
      return undefined
    case 'list':
      return isParted(type) ? type : undefined
    case 'map':
      if (type.atomic || (type.loose === true && value !== null && !isObject(value))) return undefined
      return type
    case 'any':
      return value === null || isObject(value) ? ANY_MAP : undefined
  }
}

export type PartedList = ListType & { readonly list: 'set' | 'map' }

export function isParted(type: ListType): type is PartedList {
  return type.list !== 'atomic'
}

/** Fields that a schema does not have are treated as if nothing was known about them. */
export function fieldType(map: MapType, name: string): MergeType {
  return map.field(name) ?? ANY
}

/** The path element of an item. Throws for items that cannot be told apart. */
export function itemElement(list: PartedList, item: unknown): string {
  return list.list === 'set' ? setItemElement(item) : keyedItemElement(list, item)
}

/** An item that has no place in its list; the message is Kubernetes'. */
export class ItemError extends Error {}

function setItemElement(item: unknown): string {
  if (item === null || item === undefined) {
    throw new ItemError("associative list without keys has an element that's an explicit null")
  }
  if (Array.isArray(item)) throw new ItemError('not supported: associative list with lists as elements')
  if (isObject(item)) throw new ItemError("associative list without keys has an element that's a map type")
  return valueElement(item as JsonValue)
}

function keyedItemElement(list: ListType, item: unknown): string {
  if (item === null) throw new ItemError('associative list with keys may not have a null element')
  if (!isObject(item)) throw new ItemError('associative list with keys may not have non-map elements')
  const pairs: KeyPair[] = []
  for (const { name, default: otherwise } of list.keys) {
    const given = fieldOf(item, name) as JsonValue | undefined
    const value = given === undefined ? otherwise : given
    if (value !== undefined) pairs.push({ name, value })
  }
  if (pairs.length === 0 && list.keys.length > 0) {
    const names = list.keys.map(({ name }) => JSON.stringify(name)).join(' ')
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    )
  }
  if (pairs.length > 1) pairs.sort((a, b) => (a.name < b.name ? -1 : 1))
  return keyElement(pairs)
}
