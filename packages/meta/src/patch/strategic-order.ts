// The order of a merged list: what the patch names stands in the patch's order, everything else stays where the live
// list has it. Called for lists that merge.

import type { JsonValue } from '../json/json-value.ts'

/** What an item is known by: the value of its merge key, or itself. */
export function keyOf(item: JsonValue, mergeKey: string | undefined): JsonValue | undefined {
  if (mergeKey === undefined) return item
  return item !== null && typeof item === 'object' && !Array.isArray(item) ? item[mergeKey] : undefined
}

export function arrange(
  items: readonly JsonValue[],
  wanted: readonly JsonValue[],
  live: readonly JsonValue[],
  mergeKey: string | undefined,
): JsonValue[] {
  const inWanted = positions(wanted, mergeKey)
  const inLive = positions(live, mergeKey)
  const place = (order: Positions) => (item: JsonValue) => order.get(keyOf(item, mergeKey))
  const named = items.filter((item) => place(inWanted)(item) !== undefined)
  const others = items.filter((item) => place(inWanted)(item) === undefined)
  return interleave(sorted(others, place(inLive)), sorted(named, place(inWanted)), place(inLive))
}

type Positions = ReadonlyMap<JsonValue | undefined, number>
type PlaceOf = (item: JsonValue) => number | undefined

/** Of several items with one key the first counts. */
function positions(list: readonly JsonValue[], mergeKey: string | undefined): Positions {
  const found = new Map<JsonValue | undefined, number>()
  for (const [index, item] of list.entries()) {
    const key = keyOf(item, mergeKey)
    if (!found.has(key)) found.set(key, index)
  }
  return found
}

/** Items without a place go last, the newest first. */
function sorted(items: readonly JsonValue[], placeOf: PlaceOf): JsonValue[] {
  const known = items.filter((item) => placeOf(item) !== undefined)
  known.sort((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0))
  if (known.length === items.length) return known
  return [...known, ...items.filter((item) => placeOf(item) === undefined).reverse()]
}

/** Puts each of `others` before the first named item that follows it in the live list. Neither list is reordered. */
function interleave(others: readonly JsonValue[], named: readonly JsonValue[], liveAt: PlaceOf): JsonValue[] {
  const result: JsonValue[] = []
  let next = 0
  for (const item of named) {
    const limit = liveAt(item)
    while (limit !== undefined && next < others.length) {
      const other = others[next] ?? null
      const at = liveAt(other)
      if (at === undefined || at >= limit) break
      result.push(other)
      next++
    }
    result.push(item)
  }
  return result.concat(others.slice(next))
}
