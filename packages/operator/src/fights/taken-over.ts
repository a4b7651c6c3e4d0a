// Finds the fields of an object that another manager took over from this operator. The managed fields name the last
// writer of each value. Pure. It runs for every object that arrives, so it walks only fields that both managers have.

import type { ApiObject } from '@homeostat/client'
import { deepEqual, isObject } from '@homeostat/meta'

export interface Takeover {
  /** E.g. `spec.template.spec.containers[name=web].image`. */
  readonly field: string
  readonly rival: string
}

interface Entry {
  readonly manager?: string
  readonly fieldsV1?: unknown
}

/** Limit on takeovers reported for one object. */
const MAX_FOUND = 20

/** `before` is what manager `ours` owned until now. A field that kept its value is not a takeover. */
export function takenOver(before: object, object: ApiObject, ours: string): Takeover[] {
  const found: Takeover[] = []
  for (const entry of (object.metadata.managedFields ?? []) as Entry[]) {
    const rival = entry.manager ?? 'unknown'
    if (rival === ours || !isObject(entry.fieldsV1)) continue
    walk(entry.fieldsV1, before, object, '', (field) => {
      if (found.length < MAX_FOUND && !found.some((known) => known.field === field)) found.push({ field, rival })
    })
  }
  return found
}

function walk(set: Fields, before: unknown, now: unknown, path: string, add: (field: string) => void): void {
  if (before === undefined || deepEqual(before, now)) return
  const elements = Object.keys(set).filter((element) => element !== '.')
  if (elements.length === 0) {
    add(path)
    return
  }
  for (const element of elements) {
    const below = set[element]
    if (!isObject(below)) continue
    const step = stepInto(element, before, now)
    if (step) walk(below, step.before, step.now, path + step.text(path), add)
  }
}

interface Step {
  readonly before: unknown
  readonly now: unknown
  text(path: string): string
}

/**
 * `f:name` is a field, `k:{...}` a list item with these keys. Set values (`v:`) are skipped: they are added or removed,
 * never changed.
 */
function stepInto(element: string, before: unknown, now: unknown): Step | undefined {
  const rest = element.slice(2)
  if (element.startsWith('f:') && isObject(before)) {
    const text = (path: string) => fieldText(path, rest)
    return { before: own(before, rest), now: isObject(now) ? own(now, rest) : undefined, text }
  }
  if (element.startsWith('k:') && Array.isArray(before)) {
    const keys = parseKeys(rest)
    if (!keys) return undefined
    const text = () => `[${keys.map(([name, value]) => `${name}=${String(value)}`).join(',')}]`
    return { before: itemWith(keys, before), now: Array.isArray(now) ? itemWith(keys, now) : undefined, text }
  }
  return undefined
}

function fieldText(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `[${JSON.stringify(name)}]`
  return path === '' ? name : `.${name}`
}

type Fields = Readonly<Record<string, unknown>>
type Keys = readonly (readonly [name: string, value: unknown])[]

function parseKeys(text: string): Keys | undefined {
  try {
    const keys: unknown = JSON.parse(text)
    return isObject(keys) ? Object.entries(keys) : undefined
  } catch {
    return undefined
  }
}

/** A key that the item lacks had its default value when it was applied. */
function itemWith(keys: Keys, items: readonly unknown[]): unknown {
  return items.find(
    (item) =>
      isObject(item) &&
      keys.some(([name]) => item[name] !== undefined) &&
      keys.every(([name, value]) => item[name] === undefined || item[name] === value),
  )
}

function own(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
