// The order of two values of types that have one: below 0, 0 or above. Strings are ordered by code points, as UTF-8 is.

import { compareTexts } from '@homeostat/meta'
import { isNumber, plainNumbers } from './equals.ts'
import { CelDouble, CelDuration, CelTimestamp, type Value } from './value.ts'

/** Undefined where there is no order: other types, or a NaN. */
export function compare(a: Value, b: Value): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (isNumber(a) && isNumber(b)) return compareNumbers(...plainNumbers(a, b))
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if (a instanceof CelDuration && b instanceof CelDuration) return compareNumbers(a.nanoseconds, b.nanoseconds)
  if (a instanceof CelTimestamp && b instanceof CelTimestamp)
    return a.seconds - b.seconds || a.nanoseconds - b.nanoseconds
  return undefined
}

export function isNaNValue(value: Value): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value)
}

function compareNumbers(a: number | bigint, b: number | bigint): number | undefined {
  if (a < b) return -1
  return a > b ? 1 : Number.isNaN(a) || Number.isNaN(b) ? undefined : 0
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
