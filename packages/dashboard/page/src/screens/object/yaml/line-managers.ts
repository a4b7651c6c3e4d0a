// Who manages the field that a line of YAML is about, by managed fields. Pure; either may hold anything.

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { ManagedFields } from '../../../live/object.ts'

/** A field or an item: where it begins in the text, and what is in it. */
interface Place {
  readonly at: number
  readonly value: unknown
}

const DEEPEST = 64
const MOST_NAMED = 4

/** By the number of the line, from 0: the names of managers, in the order of their entries. */
export function lineManagers(text: string, entries: readonly unknown[] | undefined): ReadonlyMap<number, string> {
  const lineCounter = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter })
  const found = new Map<number, Set<string>>()
  for (const entry of entries ?? []) {
    const { manager, fieldsV1 } = (entry ?? {}) as ManagedFields
    eachPlace(fieldsV1, contents, 0, (at) => {
      const line = lineCounter.linePos(at).line - 1
      const managers = found.get(line) ?? new Set()
      found.set(line, managers.add(String(manager ?? 'unknown')))
    })
  }
  return new Map([...found].map(([line, managers]) => [line, told([...managers])]))
}

function told(managers: readonly string[]): string {
  const more = managers.length - MOST_NAMED
  return managers.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Visits where the deepest fields of a set stand. */
function eachPlace(set: unknown, node: unknown, depth: number, visit: (at: number) => void): void {
  if (typeof set !== 'object' || set === null || depth > DEEPEST) return
  for (const [element, inner] of Object.entries(set)) {
    const place = element === '.' ? undefined : placeOf(node, element)
    if (place === undefined) continue
    const isLeaf = typeof inner !== 'object' || inner === null || Object.keys(inner).every((name) => name === '.')
    if (isLeaf) visit(place.at)
    else eachPlace(inner, place.value, depth + 1, visit)
  }
}

/** `f:image` is a field, `k:{"name":"web"}` the item with these fields, `v:"x"` an item of a set, `i:3` one by its place. */
function placeOf(node: unknown, element: string): Place | undefined {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return fieldOf(node, rest)
  if (!isSeq(node)) return undefined
  if (element.startsWith('i:')) return itemPlace(node.items[Number(rest)])
  const wanted = parsed(rest)
  if (element.startsWith('v:')) return itemPlace(node.items.find((item) => isScalar(item) && item.value === wanted))
  const keys = Object.entries(typeof wanted === 'object' && wanted !== null ? wanted : {})
  if (keys.length === 0) return undefined
  return itemPlace(node.items.find((item) => isMap(item) && keys.every(([name, value]) => item.get(name) === value)))
}

function fieldOf(node: unknown, name: string): Place | undefined {
  if (!isMap(node)) return undefined
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  const at = (pair?.key as Node | undefined)?.range?.[0]
  return pair === undefined || at === undefined || at === null ? undefined : { at, value: pair.value }
}

function itemPlace(item: unknown): Place | undefined {
  const at = (item as Node | undefined)?.range?.[0]
  return at === undefined || at === null ? undefined : { at, value: item }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
