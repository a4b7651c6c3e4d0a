// Finds repeated values in linear time. Equal means equal as JSON: field order does not matter.

import { isObject, writeJson } from '@homeostat/meta'

/** Lists up to this length are compared in pairs, which is faster than remembering. */
const SHORT = 8

/** The place of the second appearance of each repeated value. */
export function repeatedAt(values: readonly unknown[]): number[] {
  if (values.length <= SHORT && allDifferent(values)) return []
  const seen = new Map<unknown, boolean>()
  const places: number[] = []
  for (let i = 0; i < values.length; i++) {
    const key = identity(values[i])
    const reported = seen.get(key)
    if (reported === undefined) seen.set(key, false)
    else if (!reported) {
      seen.set(key, true)
      places.push(i)
    }
  }
  return places
}

/** True only for scalars; objects and lists need a closer look. */
function allDifferent(values: readonly unknown[]): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (typeof value === 'object' && value !== null && values.length > 1) return false
    for (let j = 0; j < i; j++) if (values[j] === value) return false
  }
  return true
}

/** A value that is the same for equal JSON values and only for them. */
export function identity(value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`
  return typeof value === 'object' && value !== null ? `j${writeJson(ordered(value))}` : value
}

/** Objects become marked lists of their fields in name order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isObject(value)) return value
  const fields = Object.keys(value).sort()
  return { o: fields.map((name) => [name, ordered(value[name])]) }
}
