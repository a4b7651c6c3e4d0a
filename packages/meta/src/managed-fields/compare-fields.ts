// Finds the paths that differ between two values of a type. It skips parts that are the same object, so it finds a small
// change to a large object quickly.

import { deepEqual } from '../json/deep.ts'
import { isObject } from '../json/is-object.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import { type FieldSet, NOTHING, nodeOf, sortedNodeOf } from './field-set.ts'
import { ownedNode } from './owned-fields.ts'
import { type Fields, fieldOf, fieldType, hasFields, itemElement, type PartedList, partsOf } from './typed-value.ts'

export interface FieldChanges {
  /** Added, or present before and after with another value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

export const NO_CHANGES: FieldChanges = { changed: NOTHING, removed: NOTHING }

/** `skip` are names that are not looked at; a name with names of its own is looked into without those. */
export function compareFields(type: MapType, before: Fields, after: Fields, skip?: Skip): FieldChanges {
  const found = new Found()
  found.fields(type, before, after, skip)
  return { changed: found.changedNode() ?? NOTHING, removed: found.removedNode() ?? NOTHING }
}

export type Skip = ReadonlyMap<string, Skip | undefined>

/** What was found at one place and below. */
class Found {
  #itself = false
  #changed: Map<string, FieldSet> | undefined
  #removed: Map<string, FieldSet> | undefined

  changedNode(): FieldSet | undefined {
    return this.#changed === undefined ? nodeOf(this.#itself, []) : sortedNodeOf(this.#itself, this.#changed)
  }

  removedNode(): FieldSet | undefined {
    return this.#removed && sortedNodeOf(false, this.#removed)
  }

  #change(element: string, node: FieldSet): void {
    this.#changed ??= new Map()
    this.#changed.set(element, node)
  }

  #remove(element: string, node: FieldSet): void {
    this.#removed ??= new Map()
    this.#removed.set(element, node)
  }

  value(type: MergeType, before: unknown, after: unknown): void {
    const old = partsOf(type, before)
    const now = partsOf(type, after)
    this.#as(old, before, after)
    // Where nothing is known, an object may have become a number: it lost its fields and changed itself.
    if (now !== old) this.#as(now, before, after)
  }

  #as(parts: MapType | PartedList | undefined, before: unknown, after: unknown): void {
    if (parts?.kind === 'map' && (hasFields(before) || hasFields(after))) {
      this.fields(parts, isObject(before) ? before : EMPTY, isObject(after) ? after : EMPTY)
    } else if (parts?.kind === 'list' && (hasItems(before) || hasItems(after))) {
      this.#items(parts, Array.isArray(before) ? before : [], Array.isArray(after) ? after : [])
    } else if (!deepEqual(before, after)) this.#itself = true
  }

  fields(map: MapType, before: Fields, after: Fields, skip?: Skip): void {
    for (const name in after) {
      const now = after[name]
      const old = fieldOf(before, name)
      if (now === undefined || now === old) continue
      if (skip?.has(name)) this.#besides(skip.get(name), map, name, old, now)
      else this.#part(`f:${name}`, map, name, old, now)
    }
    for (const name in before) {
      const old = before[name]
      if (old === undefined || fieldOf(after, name) !== undefined || skip?.has(name)) continue
      this.#remove(`f:${name}`, ownedNode(fieldType(map, name), old))
    }
  }

  #besides(skip: Skip | undefined, map: MapType, name: string, old: unknown, now: unknown): void {
    const type = map.field(name)
    if (skip === undefined || type?.kind !== 'map' || !isObject(now)) return
    const found = new Found()
    found.fields(type, isObject(old) ? old : EMPTY, now, skip)
    this.#keep(`f:${name}`, found)
  }

  #keep(element: string, found: Found): void {
    const changed = found.changedNode()
    const removed = found.removedNode()
    if (changed !== undefined) this.#change(element, changed)
    if (removed !== undefined) this.#remove(element, removed)
  }

  #part(element: string, map: MapType, name: string, old: unknown, now: unknown): void {
    if (typeof now !== 'object' && typeof old !== 'object') this.#change(element, NOTHING)
    else if (old === undefined) this.#change(element, ownedNode(fieldType(map, name), now))
    else this.#inside(element, fieldType(map, name), old, now)
  }

  #inside(element: string, type: MergeType, old: unknown, now: unknown): void {
    const found = new Found()
    found.value(type, old, now)
    this.#keep(element, found)
  }

  #items(list: PartedList, before: readonly unknown[], after: readonly unknown[]): void {
    const old = byElement(list, before)
    const now = byElement(list, after)
    for (const [element, items] of now) {
      const others = old.get(element)
      if (others === undefined) {
        this.#change(element, items.length > 1 ? NOTHING : ownedNode(list.items, items[0]))
      } else if (items.length === 1 && others.length === 1) {
        if (items[0] !== others[0]) this.#inside(element, list.items, others[0], items[0])
      } else if (items.length > 1 && others.length > 1) {
        if (!deepEqual(items, others)) this.#change(element, NOTHING)
      } else if (items.length > 1) {
        // The fields of duplicate items have no owner; only the items themselves do.
        this.#remove(element, ownedNode(list.items, others[0]))
        this.#change(element, NOTHING)
      } else {
        this.#change(element, ownedNode(list.items, items[0]))
        this.#remove(element, NOTHING)
      }
    }
    for (const [element, items] of old) {
      if (now.has(element)) continue
      this.#remove(element, items.length > 1 ? NOTHING : ownedNode(list.items, items[0]))
    }
  }
}

const EMPTY: Fields = {}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function byElement(list: PartedList, items: readonly unknown[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>()
  for (const item of items) {
    const element = itemElement(list, item)
    const group = groups.get(element)
    if (group === undefined) groups.set(element, [item])
    else group.push(item)
  }
  return groups
}
