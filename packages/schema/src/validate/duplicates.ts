// Finds repeated values in linear time. Equal means equal as JSON: field order does not matter.

import { writeJson } from '@homeostat/meta'
import { isRecord } from '../json-schema.ts'

/** The place of the second appearance of each repeated value. */
export function repeatedAt(values: readonly unknown[]): number[] {
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

/** A value that is the same for equal JSON values and only for them. */
export function identity(value: unknown): unknown {
  if (typeof value === 'string') return `s${value}`
  return typeof value === 'object' && value !== null ? `j${writeJson(ordered(value))}` : value
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  const sorted = Object.keys(value).sort()
  return sorted.map((name) => [name, ordered(value[name])])
}
