// Selects a field or an index of a value. An optional stays optional, and what is not there is then none instead of a failure; only what
// is there is charged.

import { typeNameOf } from '../values/type-of-value.ts'
import { CelDouble, CelList, CelMap, CelOptional, CelUint, Failure, type Value } from '../values/value.ts'
import { noSuchKey, outOfBounds } from './failures.ts'
import type { Frame } from './frame.ts'

export function select(frame: Frame, operand: Value, key: Value): Value {
  if (operand instanceof CelOptional) return selectOptional(frame, operand, key)
  if (operand instanceof Failure) return operand
  frame.charge(1)
  const found = find(operand, key)
  return found === undefined ? missing(operand, key) : found
}

export function selectOptional(frame: Frame, operand: Value, key: Value): Value {
  const held = operand instanceof CelOptional ? operand.value : operand
  if (held === undefined) return operand
  const found = find(held, key)
  if (found === undefined) return CelOptional.none
  frame.charge(1)
  return found instanceof Failure ? found : found instanceof CelOptional ? found : new CelOptional(found)
}

/** What has() asks. */
export function isPresent(frame: Frame, operand: Value, key: Value): Value {
  if (operand instanceof CelOptional) {
    const found = operand.value === undefined ? undefined : find(operand.value, key)
    if (found !== undefined) frame.charge(1)
    return found instanceof Failure ? found : found !== undefined
  }
  if (operand instanceof Failure) return operand
  frame.charge(1)
  if (operand instanceof CelMap) return operand.has(key)
  return find(operand, key) !== undefined
}

/** Undefined for what is not there; a failure where there is nothing to look into. */
function find(operand: Value, key: Value): Value | undefined {
  if (operand instanceof Failure) return operand
  if (key instanceof Failure) return key
  if (operand instanceof CelMap) return operand.get(key)
  if (!(operand instanceof CelList)) return undefined
  const index = indexOf(key)
  if (index instanceof Failure) return index
  return index >= 0 && index < operand.size ? operand.get(Number(index)) : undefined
}

function indexOf(key: Value): number | bigint | Failure {
  if (typeof key === 'number' || typeof key === 'bigint') return key
  if (key instanceof CelUint) return key.value
  if (key instanceof CelDouble && Number.isInteger(key.value)) return key.value
  return new Failure(`unsupported index type '${typeNameOf(key)}' in list`)
}

function missing(operand: Value, key: Value): Failure {
  return operand instanceof CelList ? outOfBounds(key) : noSuchKey(key)
}
