// Conversions between types, with CEL's failures. The library of standard functions calls them.

import {
  conversionFailure,
  durationOverflow,
  intOverflow,
  timestampOverflow,
  uintOverflow,
} from '../evaluate/failures.ts'
import { durationText, parseDuration } from '../values/duration-text.ts'
import { intOf, truncate, uintOf } from '../values/int64.ts'
import { firstSecond, lastSecond, parseTimestamp, timestampText } from '../values/timestamp-text.ts'
import { CelDouble, CelDuration, CelTimestamp, CelUint, Failure, type Value } from '../values/value.ts'
import { goDouble } from './go-double.ts'

export function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value
  switch (value) {
    case '1':
    case 't':
    case 'T':
    case 'TRUE':
    case 'true':
    case 'True':
      return true
    case '0':
    case 'f':
    case 'F':
    case 'FALSE':
    case 'false':
    case 'False':
      return false
    default:
      return conversionFailure(value, 'bool')
  }
}

export function toBytes(value: Value): Value {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}

export function toDouble(value: Value): Value {
  if (typeof value === 'string') {
    const isNumber = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)$/i.test(value)
    return isNumber ? new CelDouble(numberOf(value)) : conversionFailure(value, 'double')
  }
  if (value instanceof CelDouble) return value
  return new CelDouble(Number(value instanceof CelUint ? value.value : value))
}

function numberOf(text: string): number {
  if (/nan/i.test(text)) return Number.NaN
  if (/inf/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(text)
}

export function toDuration(value: Value): Value {
  if (typeof value === 'string') return parseDuration(value) ?? conversionFailure(value, 'google.protobuf.Duration')
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  const nanoseconds = BigInt(value)
  return intOf(nanoseconds) === undefined ? durationOverflow : new CelDuration(nanoseconds)
}

export function toInt(value: Value): Value {
  if (typeof value === 'string') return integerOf(value, intOf) ?? conversionFailure(value, 'int')
  if (value instanceof CelDouble)
    return Math.abs(value.value) >= 2 ** 63 ? intOverflow : (truncate(value.value, intOf) ?? intOverflow)
  if (value instanceof CelDuration) return intOf(value.nanoseconds) ?? intOverflow
  if (value instanceof CelTimestamp) return value.seconds
  return value instanceof CelUint ? (intOf(BigInt(value.value)) ?? intOverflow) : value
}

export function toUint(value: Value): Value {
  if (value instanceof CelUint) return value
  const made = uintValue(value)
  if (made === undefined) return typeof value === 'string' ? conversionFailure(value, 'uint') : uintOverflow
  return new CelUint(made)
}

function uintValue(value: Value): number | bigint | undefined {
  if (typeof value === 'string') return integerOf(value, uintOf)
  if (value instanceof CelDouble) return value.value >= 2 ** 64 ? undefined : truncate(value.value, uintOf)
  return typeof value === 'number' || typeof value === 'bigint' ? uintOf(BigInt(value)) : undefined
}

function integerOf(text: string, check: (value: bigint) => number | bigint | undefined): number | bigint | undefined {
  return /^[+-]?\d{1,30}$/.test(text) ? check(BigInt(text.replace(/^\+/, ''))) : undefined
}

export function toTimestamp(value: Value): Value {
  if (typeof value === 'string') {
    return parseTimestampText(value) ?? conversionFailure(value, 'google.protobuf.Timestamp')
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  return value < firstSecond || value > lastSecond ? timestampOverflow : new CelTimestamp(Number(value), 0)
}

/** A time as well as a date. */
function parseTimestampText(text: string): CelTimestamp | undefined {
  return /[Tt]/.test(text) ? parseTimestamp(text) : undefined
}

export function toText(value: Value): Value {
  if (value instanceof Uint8Array) return decoded(value)
  return textOf(value) ?? conversionFailure(value, 'string')
}

function decoded(bytes: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new Failure('invalid UTF-8 in bytes, cannot convert to string')
  }
}

/** Undefined for what has no text. */
export function textOf(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof CelUint) return String(value.value)
  if (value instanceof CelDouble) return goDouble(value.value)
  if (value instanceof CelDuration) return durationText(value)
  return value instanceof CelTimestamp ? timestampText(value) : undefined
}
