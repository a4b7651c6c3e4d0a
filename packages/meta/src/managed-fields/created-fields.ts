// managedFields of a new object as JSON text, written in one walk: every create pays for this. It says the same as
// `ownedFields`, which builds the set.

import type { MapType, MergeType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { type FieldSet, isEmptySet } from './field-set.ts'
import { type FieldWrite, identityOf, typeOfWrite, type VersionedTypes } from './field-write.ts'
import { resetSet, UNOWNED_METADATA } from './object-fields.ts'
import { sortElements } from './path-element.ts'
import { sortTexts } from './text-order.ts'
import { type Fields, fieldType, ItemError, isFields, itemElement, type PartedList, partsOf } from './typed-value.ts'

/** The text of the whole list with its one entry; undefined when nothing is owned. */
export function createdFields(object: KubeObject, write: FieldWrite, types: VersionedTypes): string | undefined {
  const { manager, apiVersion, subresource } = identityOf(write, 'Update')
  const set = createdSet(typeOfWrite(write, types), object, resetSet(write.reset))
  if (set === '') return undefined
  const who = `"manager":${JSON.stringify(manager)},"operation":"Update","apiVersion":${JSON.stringify(apiVersion)}`
  const where = subresource ? `,"subresource":${JSON.stringify(subresource)}` : ''
  return `[{${who},"time":${JSON.stringify(write.time)},"fieldsType":"FieldsV1","fieldsV1":{${set}}${where}}]`
}

function createdSet(type: MapType, object: KubeObject, reset: FieldSet): string {
  try {
    return fieldsText(type, object, isEmptySet(reset) ? undefined : reset, TOP)
  } catch (error) {
    // As with the real server: when items cannot be told apart, nothing is tracked.
    if (error instanceof ItemError) return ''
    throw error
  }
}

const INSIDE = 0
const TOP = 1
const METADATA = 2
type Level = typeof INSIDE | typeof TOP | typeof METADATA

/** The children of a node, without braces. */
function fieldsText(map: MapType, fields: Fields, reset: FieldSet | undefined, level: Level): string {
  let text = ''
  for (const name of sortedNames(fields)) {
    const value = fields[name]
    if (value === undefined || (level !== INSIDE && isUnowned(level, name))) continue
    const away = reset?.[`f:${name}`]
    if (away !== undefined && (away['.'] !== undefined || isEmptySet(away))) continue
    let inner: string
    if (level === TOP && name === 'metadata' && isFields(value)) {
      const parts = partsOf(fieldType(map, name), value)
      inner = parts?.kind === 'map' ? fieldsText(parts, value, away, METADATA) : ''
      if (inner === '') continue
    } else inner = nodeText(fieldType(map, name), value, away)
    if (text !== '') text += ','
    text += isPlain(name) ? `"f:${name}":{` : `${JSON.stringify(`f:${name}`)}:{`
    text += inner
    text += '}'
  }
  return text
}

function nodeText(type: MergeType, value: unknown, reset: FieldSet | undefined): string {
  if (typeof value !== 'object' || value === null) return ''
  const parts = partsOf(type, value)
  let text = ''
  if (parts?.kind === 'map') text = isFields(value) ? fieldsText(parts, value, reset, INSIDE) : ''
  else if (parts?.kind === 'list') text = Array.isArray(value) ? itemsText(parts, value, reset) : ''
  return text === '' ? '' : `".":{},${text}`
}

function itemsText(list: PartedList, items: readonly unknown[], reset: FieldSet | undefined): string {
  const nodes = new Map<string, string>()
  for (const item of items) {
    const element = itemElement(list, item)
    // Of items that are there twice nobody owns the parts.
    nodes.set(element, nodes.has(element) ? '' : nodeText(list.items, item, reset?.[element]))
  }
  const elements = [...nodes.keys()]
  sortElements(elements)
  let text = ''
  for (const element of elements) {
    if (text !== '') text += ','
    text += `${JSON.stringify(element)}:{${nodes.get(element)}}`
  }
  return text
}

function isUnowned(level: Level, name: string): boolean {
  return level === METADATA ? UNOWNED_METADATA.has(name) : name === 'apiVersion' || name === 'kind'
}

function sortedNames(fields: Fields): string[] {
  const names = Object.keys(fields)
  let previous = ''
  for (const name of names) {
    if (name < previous || !isPlain(name)) {
      sortTexts(names)
      return names
    }
    previous = name
  }
  return names
}

/** Whether a name needs no escape and sorts by its code units. */
function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false
  }
  return true
}
