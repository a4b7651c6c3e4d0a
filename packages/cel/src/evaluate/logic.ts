// && and || on values: a failure on one side does not matter where the other decides.

import type { Failure, Value } from '../values/value.ts'
import { failureOf } from './failures.ts'

export function conjunction(a: Value, b: Value): Value {
  if (a === false || b === false) return false
  return a === true && b === true ? true : firstFailure(a, b)
}

export function disjunction(a: Value, b: Value): Value {
  if (a === true || b === true) return true
  return a === false && b === false ? false : firstFailure(a, b)
}

function firstFailure(a: Value, b: Value): Failure {
  return typeof a === 'boolean' ? failureOf(b) : failureOf(a)
}
