// Strategic merge patch: a merge patch that knows the type, so that lists can be merged and directives be followed.
// Neither document nor patch is changed. What the patch leaves alone is shared with the document; nothing is shared
// with the patch, which may have to be applied again to a newer object.

import { deepClone, deepEqual } from '../json/deep.ts'
import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import { ANY, type MergeType } from '../merge/merge-type.ts'
import {
  badDeletionKey,
  badOrderKey,
  badRetainKeys,
  notAnObject,
  unknownDirective,
  unknownField,
  wrongType,
} from './strategic-errors.ts'
import {
  applyOrder,
  checkOrder,
  DIRECTIVE,
  deleteItems,
  holdObjects,
  type JsonObject,
  type MergedList,
  type MergeItem,
  mergeLists,
} from './strategic-list.ts'

const RETAIN = '$retainKeys'
const ORDER = '$setElementOrder'
const DELETE_FROM = '$deleteFromPrimitiveList'

export function applyStrategicMergePatch(doc: JsonValue, patch: JsonValue, type: MergeType): JsonValue {
  if (patch === null) return doc
  if (!isObject(patch)) throw notAnObject(patch)
  return mergeObject(isObject(doc) ? doc : {}, patch, type)
}

function mergeObject(original: JsonObject, patch: JsonObject, type: MergeType): JsonValue {
  const directive = patch[DIRECTIVE]
  if (directive !== undefined) return directed(directive, patch)
  const draft = new Draft(original)
  const done = new Set([RETAIN])
  retainKeys(draft, patch)
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(ORDER)) continue
    const name = nameAfter(key, ORDER)
    if (name === undefined) throw badOrderKey()
    orderList(draft, patch, name, patch[key] ?? null, type)
    done.add(key).add(name)
  }
  for (const key of Object.keys(patch)) {
    if (done.has(key)) continue
    const deletes = key.startsWith(DELETE_FROM)
    const name = deletes ? nameAfter(key, DELETE_FROM) : key
    if (name === undefined) throw badDeletionKey()
    mergeField(draft, name, patch[key] ?? null, fieldType(type, name) ?? ANY, deletes)
  }
  return draft.object
}

function mergeField(draft: Draft, name: string, patch: JsonValue, type: MergeType, deletes: boolean): void {
  const old = draft.object[name]
  if (patch === null) draft.remove(name)
  else if (isObject(old) && isObject(patch))
    draft.put(name, type.patch?.replace ? deepClone(patch) : mergeObject(old, patch, type))
  else if (Array.isArray(old) && Array.isArray(patch)) draft.put(name, mergeListField(old, patch, type, deletes))
  else if (!deletes) draft.put(name, asTaken(patch))
}

function mergeListField(old: JsonValue[], patch: JsonValue[], type: MergeType, deletes: boolean): JsonValue[] {
  if (deletes && (old.length === 0 || !holdObjects(old, patch))) return deleteItems(old, patch)
  if (!deletes && !type.patch?.merge) return deepClone(patch)
  return mergeLists(old, patch, type.patch?.mergeKey, mergeItemOf(type)).items
}

/** Merges the list together with its order, before everything else of the object. */
function orderList(draft: Draft, patch: JsonObject, name: string, order: JsonValue, type: MergeType): void {
  if (!Array.isArray(order)) throw wrongType('[]interface {}', order)
  const old = draft.object[name]
  const given = patch[name]
  for (const list of [old, given])
    if (list !== undefined && !Array.isArray(list)) throw wrongType('[]interface {}', list)
  const place = fieldType(type, name)
  if (place === undefined) throw unknownField(name)
  const oldList = old as JsonValue[] | undefined
  const givenList = given as JsonValue[] | undefined
  const mergeKey = place.patch?.mergeKey
  checkOrder(givenList ?? [], order, mergeKey)
  if (oldList === undefined && givenList === undefined) return
  holdObjects(oldList ?? [], givenList ?? [])
  draft.put(name, applyOrder(mergedList(oldList, givenList, place), order, mergeKey))
}

function mergedList(old: JsonValue[] | undefined, given: JsonValue[] | undefined, place: MergeType): MergedList {
  if (given === undefined) return { items: old ?? [], live: old ?? [] }
  if (old === undefined) return { items: asTaken(given) as JsonValue[], live: [] }
  if (!place.patch?.merge) return { items: deepClone(given), live: old }
  return mergeLists(old, given, place.patch.mergeKey, mergeItemOf(place))
}

function mergeItemOf(list: MergeType): MergeItem {
  return (original, patch) => mergeObject(original, patch, list.kind === 'list' ? list.items : ANY)
}

/** `$retainKeys` names all fields that stay, and every field that the patch sets. */
function retainKeys(draft: Draft, patch: JsonObject): void {
  const names = patch[RETAIN]
  if (names === undefined) return
  if (!Array.isArray(names)) throw badRetainKeys()
  const stay = new Set<JsonValue>(names)
  for (const [key, value] of Object.entries(patch)) {
    const free = value === null || key === RETAIN || key.startsWith(DELETE_FROM) || key.startsWith(ORDER)
    if (!free && !stay.has(key)) throw badRetainKeys()
  }
  for (const key of Object.keys(draft.object)) if (!stay.has(key)) draft.remove(key)
}

function directed(directive: JsonValue, patch: JsonObject): JsonValue {
  if (directive === 'delete') return {}
  if (directive !== 'replace') throw unknownDirective(directive, patch)
  const { [DIRECTIVE]: _, ...rest } = patch
  return deepClone(rest)
}

function fieldType(type: MergeType, name: string): MergeType | undefined {
  if (type.kind === 'map') return type.field(name)
  return type.kind === 'any' ? ANY : undefined
}

/** The `x` of `$setElementOrder/x`. */
function nameAfter(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined
}

/** A value where the document has none: nulls have nothing to delete, and objects with a directive say nothing. */
function asTaken(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(asTaken).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  if ((value[DIRECTIVE] ?? null) !== null) return undefined
  const result: JsonObject = {}
  for (const [key, child] of Object.entries(value)) {
    const taken = child === null ? undefined : asTaken(child)
    if (taken !== undefined && key !== '__proto__') result[key] = taken
  }
  return result
}

/** Copies the object at the first change, so that an object left alone stays the same one. */
class Draft {
  #object: JsonObject
  #copied = false

  constructor(object: JsonObject) {
    this.#object = object
  }

  get object(): Readonly<JsonObject> {
    return this.#object
  }

  /** Without a value the field goes. */
  put(name: string, value: JsonValue | undefined): void {
    if (value === undefined) this.remove(name)
    else if (name !== '__proto__' && !sameValue(this.#object[name], value)) this.#own()[name] = value
  }

  remove(name: string): void {
    if (Object.hasOwn(this.#object, name)) delete this.#own()[name]
  }

  #own(): JsonObject {
    if (!this.#copied) this.#object = { ...this.#object }
    this.#copied = true
    return this.#object
  }
}

/** Lists are made anew when they merge, objects are not unless they change. */
function sameValue(old: JsonValue | undefined, value: JsonValue): boolean {
  return old === value || (Array.isArray(old) && deepEqual(old, value))
}
