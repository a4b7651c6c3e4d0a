// Merges an applied configuration into a live value: the configuration wins, all other fields stay. Returns the live value
// itself where nothing changes.

import { deepEqual } from '../json/deep.ts'
import { isObject } from '../json/is-object.ts'
import type { MapType, MergeType } from '../merge/merge-type.ts'
import {
  type Fields,
  fieldOf,
  fieldType,
  hasFields,
  itemElement,
  type PartedList,
  partsOf,
  setField,
} from './typed-value.ts'

export function mergeValue(type: MergeType, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === applied) return live
  if (live === undefined) return applied
  const parts = partsOf(type, applied)
  if (parts?.kind === 'map' && hasFields(live)) return mergeFields(parts, live, isObject(applied) ? applied : {})
  if (parts?.kind === 'list' && Array.isArray(live) && live.length > 0) {
    return mergeItems(parts, live, Array.isArray(applied) ? applied : [])
  }
  return deepEqual(live, applied) ? live : applied
}

function mergeFields(map: MapType, live: Fields, applied: Fields): unknown {
  let merged: Record<string, unknown> | undefined
  for (const name in applied) {
    const value = applied[name]
    if (value === undefined) continue
    const before = fieldOf(live, name)
    const after = mergeValue(fieldType(map, name), before, value)
    if (after === before) continue
    merged ??= { ...live }
    setField(merged, name, after)
  }
  return merged ?? live
}

/**
 * Both orders are kept where they agree; where items of both lists come in another order, the applied one wins.
 * Items that only the live list has stay behind the ones they followed.
 */
function mergeItems(list: PartedList, live: readonly unknown[], applied: readonly unknown[]): unknown {
  const mine = live.map((item) => itemElement(list, item))
  const theirs = applied.map((item) => itemElement(list, item))
  const liveItems = firstOrNull(mine, live)
  const appliedItems = firstOrNull(theirs, applied)
  const shared = theirs.filter((element) => liveItems.has(element))
  const merged: unknown[] = []
  const taken = new Set<string>()
  let nextShared = 0
  let at = 0
  let from = 0
  const take = (element: string) => {
    taken.add(element)
    merged.push(mergeValue(list.items, liveItems.get(element), appliedItems.get(element)))
    if (shared[nextShared] === element) nextShared++
  }
  while (at < mine.length || from < theirs.length) {
    const element = mine[at]
    const other = theirs[from]
    if (element !== undefined && other !== undefined) {
      if (element === other) {
        take(element)
        at++
        from++
        continue
      }
      // It comes later, where the configuration has it.
      if (appliedItems.has(element) && nextShared < shared.length && shared[nextShared] !== element) {
        at++
        continue
      }
    }
    if (element !== undefined) {
      if (!appliedItems.has(element)) {
        merged.push(live[at])
        at++
        continue
      }
      if (taken.has(element)) at++
    }
    if (other !== undefined) {
      take(other)
      from++
    }
  }
  return sameItems(merged, live) ? live : merged
}

/** Duplicate live items are not merged: the applied item replaces all of them. */
function firstOrNull(elements: readonly string[], items: readonly unknown[]): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [index, element] of elements.entries()) found.set(element, found.has(element) ? null : items[index])
  return found
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
