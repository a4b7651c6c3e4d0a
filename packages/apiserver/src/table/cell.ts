// Converts a value of an object to a table cell, as the type of a printer column asks for. A cell is null when the
// value is absent or of another type than the column's: one object never fails a table.

import { humanDuration, type JsonValue, parseRfc3339 } from '@homeostat/meta'
import { printValue } from './print-value.ts'

/** The cell of a column of the given type. `now` is milliseconds since the epoch. */
export function cellOf(type: string, value: JsonValue | undefined, now: number): unknown {
  if (value === undefined) return null
  switch (type) {
    case 'string':
      return printValue(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageSince(value, now) : null
    default:
      return null
  }
}

/** The age of a timestamp for people: `5s`, `2d4h`, `<unknown>` when it is not set. */
export function ageSince(timestamp: string | null | undefined, now: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>'
  const time = parseRfc3339(timestamp)
  if (time === undefined) return '<invalid>'
  return humanDuration(now - time)
}
