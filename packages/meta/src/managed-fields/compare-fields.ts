// Which paths differ between two values of a type. Parts that are the same object are not looked into, so a small
// change to a large object is found quickly.

import { deepEqual } from '../json/deep.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import { type FieldSet, NOTHING, nodeOf, sortedNodeOf } from './field-set.ts'
import { ownedNode } from './owned-fields.ts'
import {
  type Fields,
  fieldOf,
  fieldType,
  hasFields,
  isFields,
  itemElement,
  type PartedList,
  partsOf,
} from './typed-value.ts'

export interface FieldChanges {
  /** Added, or present before and after with another value. */
  readonly changed: FieldSet
  readonly removed: FieldSet
}

export const NO_CHANGES: FieldChanges = { changed: NOTHING, removed: NOTHING }

/** The type is that of the parent's field; for whole objects see `compareObjects`. */
export function compareFields(type: MapType, before: Fields, after: Fields): FieldChanges {
  const found = new Found()
  found.fields(type, before, after)
  return { changed: found.changedNode() ?? NOTHING, removed: found.removedNode() ?? NOTHING }
}

/** What was found at one place and below. */
class Found {
  #itself = false
  readonly #changed = new Map<string, FieldSet>()
  readonly #removed = new Map<string, FieldSet>()

  changedNode(): FieldSet | undefined {
    return this.#changed.size === 0 ? nodeOf(this.#itself, []) : sortedNodeOf(this.#itself, this.#changed)
  }

  removedNode(): FieldSet | undefined {
    return this.#removed.size === 0 ? undefined : sortedNodeOf(false, this.#removed)
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
      this.fields(parts, isFields(before) ? before : EMPTY, isFields(after) ? after : EMPTY)
    } else if (parts?.kind === 'list' && (hasItems(before) || hasItems(after))) {
      this.#items(parts, Array.isArray(before) ? before : [], Array.isArray(after) ? after : [])
    } else if (!deepEqual(before, after)) this.#itself = true
  }

  fields(map: MapType, before: Fields, after: Fields): void {
    for (const name in after) {
      const now = after[name]
      const old = fieldOf(before, name)
      if (now !== undefined && now !== old) this.#part(`f:${name}`, () => fieldType(map, name), old, now)
    }
    for (const name in before) {
      const old = before[name]
      if (old === undefined || fieldOf(after, name) !== undefined) continue
      this.#removed.set(`f:${name}`, ownedNode(fieldType(map, name), old))
    }
  }

  #part(element: string, type: () => MergeType, old: unknown, now: unknown): void {
    if (old === undefined) {
      this.#changed.set(element, ownedNode(type(), now))
      return
    }
    if (typeof old !== 'object' && typeof now !== 'object') {
      this.#changed.set(element, NOTHING)
      return
    }
    const found = new Found()
    found.value(type(), old, now)
    const changed = found.changedNode()
    const removed = found.removedNode()
    if (changed !== undefined) this.#changed.set(element, changed)
    if (removed !== undefined) this.#removed.set(element, removed)
  }

  #items(list: PartedList, before: readonly unknown[], after: readonly unknown[]): void {
    const old = byElement(list, before)
    const now = byElement(list, after)
    for (const [element, items] of now) {
      const others = old.get(element)
      if (others === undefined) {
        this.#changed.set(element, items.length > 1 ? NOTHING : ownedNode(list.items, items[0]))
      } else if (items.length === 1 && others.length === 1) {
        if (items[0] !== others[0]) this.#part(element, () => list.items, others[0], items[0])
      } else if (items.length > 1 && others.length > 1) {
        if (!deepEqual(items, others)) this.#changed.set(element, NOTHING)
      } else if (items.length > 1) {
        // Of items that are there twice nobody owns the parts, only that they are there.
        this.#removed.set(element, ownedNode(list.items, others[0]))
        this.#changed.set(element, NOTHING)
      } else {
        this.#changed.set(element, ownedNode(list.items, items[0]))
        this.#removed.set(element, NOTHING)
      }
    }
    for (const [element, items] of old) {
      if (now.has(element)) continue
      this.#removed.set(element, items.length > 1 ? NOTHING : ownedNode(list.items, items[0]))
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
