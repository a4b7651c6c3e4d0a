// Caches the managedFields of the last created object of a kind with its shape. New objects of one kind mostly have the same
// fields and the same keys in their lists, and so the same owned fields. createdFields looks here before it walks the
// object. A shape holds all that the set depends on, and no other values.

import { isObject } from '../json/is-object.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import type { ResetPaths } from './object-fields.ts'
import { type Fields, fieldOf, fieldType, type PartedList, partsOf } from './typed-value.ts'

/** Owned as a whole, whatever it is. */
const WHOLE = 0
/** Has parts as an object, but is none; the same of a list. */
const NO_MAP = 1
const NO_LIST = 2
const MAP = 3
const LIST = 4

interface Shape {
  readonly kind: number
  /** Of fields; of a list, those of its keys. */
  readonly names: readonly string[]
  /** The shape of each field or item. */
  readonly below: readonly Shape[]
  /** What tells the items apart: each item's keys, or the item itself. */
  readonly keys: readonly unknown[]
}

interface Remembered {
  shape: Shape | undefined
  reset: ResetPaths
  set: string
  /** In a row. Kinds whose objects all differ are seldom tried again. */
  misses: number
}

const TRIES = 8
const SELDOM = 32
/** Fields and items of a shape that is kept. */
const MAX_PLACES = 500

export class CreatedShapes {
  readonly #remembered = new WeakMap<MapType, Remembered>()

  /** The set of the last object of the type, if this one has its shape. */
  setOf(type: MapType, object: Fields, reset: ResetPaths): string | undefined {
    const last = this.#remembered.get(type)
    if (last?.shape === undefined) return undefined
    if (last.reset === reset && fitsFields(last.shape, object)) {
      last.misses = 0
      return last.set
    }
    last.misses++
    return undefined
  }

  remember(type: MapType, object: Fields, reset: ResetPaths, set: string): void {
    const last = this.#remembered.get(type)
    if (last !== undefined && last.misses > TRIES && last.misses % SELDOM !== 0) {
      if (last.shape === undefined) last.misses++
      return
    }
    const shape = new ShapeReader().fields(type, object)
    if (last === undefined) this.#remembered.set(type, { shape, reset, set, misses: 0 })
    else {
      last.shape = shape
      last.reset = reset
      last.set = set
      if (shape === undefined) last.misses++
    }
  }
}

function fits(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case WHOLE:
      return true
    case NO_MAP:
      return !isObject(value)
    case NO_LIST:
      return !Array.isArray(value)
    case MAP:
      return isObject(value) && fitsFields(shape, value)
    default:
      return Array.isArray(value) && fitsItems(shape, value)
  }
}

function fitsFields({ names, below }: Shape, fields: Fields): boolean {
  let at = 0
  for (const name in fields) {
    if (name !== names[at]) return false
    const value = fields[name]
    const shape = below[at]
    if (value === undefined || shape === undefined || !fits(shape, value)) return false
    at++
  }
  return at === names.length
}

function fitsItems({ names, below, keys }: Shape, items: readonly unknown[]): boolean {
  if (items.length !== below.length) return false
  let at = 0
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    const shape = below[i]
    if (shape === undefined || !fits(shape, item)) return false
    if (names.length === 0 && item !== keys[at++]) return false
    for (const name of names) if (fieldOf(item as Fields, name) !== keys[at++]) return false
  }
  return true
}

/** Reads a shape; undefined for what is too large, or odd. */
class ShapeReader {
  #left = MAX_PLACES

  fields(map: MapType, fields: Fields): Shape | undefined {
    const names: string[] = []
    const below: Shape[] = []
    for (const name in fields) {
      const value = fields[name]
      const shape = value === undefined ? undefined : this.#value(fieldType(map, name), value)
      if (shape === undefined) return undefined
      names.push(name)
      below.push(shape)
    }
    return { kind: MAP, names, below, keys: [] }
  }

  #value(type: MergeType, value: unknown): Shape | undefined {
    if (--this.#left < 0) return undefined
    if (type.kind === 'list') {
      const list = partsOf(type, value)
      if (list?.kind !== 'list') return ANYTHING
      return Array.isArray(value) ? this.#items(list, value) : ANYTHING_BUT_LIST
    }
    if (type.kind === 'scalar' || (type.kind === 'map' && type.atomic)) return ANYTHING
    if (!isObject(value)) return ANYTHING_BUT_MAP
    const map = partsOf(type, value)
    return map?.kind === 'map' ? this.fields(map, value) : undefined
  }

  #items(list: PartedList, items: readonly unknown[]): Shape | undefined {
    const names = list.list === 'set' ? [] : list.keys.map((key) => key.name)
    const below: Shape[] = []
    const keys: unknown[] = []
    for (const item of items) {
      if (list.list === 'set') keys.push(item)
      else if (!isObject(item)) return undefined
      else for (const name of names) keys.push(fieldOf(item, name))
      const shape = list.list === 'set' ? ANYTHING : this.#value(list.items, item)
      if (shape === undefined || --this.#left < 0) return undefined
      below.push(shape)
    }
    if (keys.some((key) => typeof key === 'object')) return undefined
    return { kind: LIST, names, below, keys }
  }
}

const ANYTHING: Shape = { kind: WHOLE, names: [], below: [], keys: [] }
const ANYTHING_BUT_MAP: Shape = { kind: NO_MAP, names: [], below: [], keys: [] }
const ANYTHING_BUT_LIST: Shape = { kind: NO_LIST, names: [], below: [], keys: [] }
