// A value as JSON, for whoever shows or stores the result of an expression: a message, an audit annotation, a variable.

import { base64Of } from './base64.ts'
import { durationText } from './duration-text.ts'
import { itemsOf } from './lists.ts'
import { timestampText } from './timestamp-text.ts'
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type Value,
} from './value.ts'

/** Undefined for a value of a library and an empty optional. */
export function jsonOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof CelList) return itemsOf(value).map(jsonOf)
  if (value instanceof CelMap)
    return Object.fromEntries(value.keys().map((key) => [keyText(key), jsonOf(value.get(key))]))
  if (value instanceof CelDouble || value instanceof CelUint) return value.value
  if (value instanceof Uint8Array) return base64Of(value)
  if (value instanceof CelDuration) return durationText(value)
  if (value instanceof CelTimestamp) return timestampText(value)
  if (value instanceof CelTypeValue) return value.name
  return value instanceof CelOptional && value.value !== undefined ? jsonOf(value.value) : undefined
}

function keyText(key: Value): string {
  return String(jsonOf(key))
}
