// Equality of any two values. Numbers of different kinds are equal when they mean the same number; values of different types are not
// equal, which is no error.

import { hashKeyOf } from './hash-key.ts'
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  Failure,
  Opaque,
  type Value,
} from './value.ts'

export function equals(a: Value, b: Value): boolean | Failure {
  if (a === b) return !(a instanceof CelDouble && Number.isNaN(a.value))
  if (typeof a !== 'object' || typeof b !== 'object') return isNumber(a) && isNumber(b) && numbersEqual(a, b)
  if (a === null || b === null) return false
  if (a instanceof Failure) return a
  if (b instanceof Failure) return b
  if (a instanceof CelList) return b instanceof CelList && listsEqual(a, b)
  if (a instanceof CelMap) return b instanceof CelMap && mapsEqual(a, b)
  if (isNumber(a)) return isNumber(b) && numbersEqual(a, b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && bytesEqual(a, b)
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanoseconds === b.nanoseconds
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanoseconds === b.nanoseconds
  }
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalsEqual(a, b)
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name
  return a instanceof Opaque && b instanceof Opaque && a.type.name === b.type.name && a.equals(b)
}

type NumberValue = number | bigint | CelDouble | CelUint

export function isNumber(value: Value): value is NumberValue {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof CelDouble || value instanceof CelUint
  )
}

/** Two numbers as JavaScript compares them: exactly, but next to a double all are doubles, as in Kubernetes. */
export function plainNumbers(a: NumberValue, b: NumberValue): [number | bigint, number | bigint] {
  const left = typeof a === 'object' ? a.value : a
  const right = typeof b === 'object' ? b.value : b
  return a instanceof CelDouble || b instanceof CelDouble ? [Number(left), Number(right)] : [left, right]
}

function numbersEqual(a: NumberValue, b: NumberValue): boolean {
  const [left, right] = plainNumbers(a, b)
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are equal
  return left == right
}

function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

function optionalsEqual(a: CelOptional, b: CelOptional): boolean | Failure {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return equals(a.value, b.value)
}

function listsEqual(a: CelList, b: CelList): boolean | Failure {
  if (a.size !== b.size) return false
  const known = a.equals(b)
  if (known !== undefined) return known
  for (let index = 0; index < a.size; index++) {
    const equal = equals(a.get(index), b.get(index))
    if (equal !== true) return equal
  }
  return true
}

function mapsEqual(a: CelMap, b: CelMap): boolean | Failure {
  if (a.size !== b.size) return false
  for (const key of a.keys()) {
    const other = b.get(key)
    if (other === undefined) return false
    const equal = equals(a.get(key) as Value, other)
    if (equal !== true) return equal
  }
  return true
}

/** Whether a list has an item. */
export function contains(list: CelList, wanted: Value): boolean | Failure {
  let failure: Failure | undefined
  const hash = hashKeyOf(wanted)
  for (let index = 0; index < list.size; index++) {
    const item = list.get(index)
    if (hash !== undefined && item === wanted) return true
    const equal = equals(item, wanted)
    if (equal === true) return true
    if (equal !== false) failure ??= equal
  }
  return failure ?? false
}
