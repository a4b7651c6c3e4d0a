// The operators + - * / % and the sign, on all types that have them. The evaluator calls them with any two values.

import { add, divide, type Int, intOf, multiply, remainder, subtract, uintOf } from '../values/int64.ts'
import { JoinedList } from '../values/lists.ts'
import { firstSecond, lastSecond } from '../values/timestamp-text.ts'
import { CelDouble, CelDuration, CelList, CelTimestamp, CelUint, type Failure, type Value } from '../values/value.ts'
import {
  divisionByZero,
  durationOverflow,
  failureOf,
  intOverflow,
  modulusByZero,
  noOverload,
  timestampOverflow,
  uintOverflow,
} from './failures.ts'

type Operation = (a: Int, b: Int, check: (value: bigint) => Int | undefined) => Int | undefined

function isInt(value: Value): value is Int {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Of two ints or two uints; undefined for other types. */
function integers(a: Value, b: Value, operation: Operation): Value | undefined {
  if (isInt(a) && isInt(b)) return operation(a, b, intOf) ?? intOverflow
  if (a instanceof CelUint && b instanceof CelUint) {
    const made = operation(a.value, b.value, uintOf)
    return made === undefined ? uintOverflow : new CelUint(made)
  }
  return undefined
}

function wrong(a: Value, b: Value): Failure {
  const first = failureOf(a)
  return first === noOverload ? failureOf(b) : first
}

export function plus(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    return Number.isSafeInteger(sum) ? sum : (add(a, b, intOf) ?? intOverflow)
  }
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value + b.value)
  if (a instanceof CelList && b instanceof CelList) return a.plus(b) ?? new JoinedList(a, b)
  return integers(a, b, add) ?? plusRare(a, b)
}

function plusRare(a: Value, b: Value): Value {
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const joined = new Uint8Array(a.length + b.length)
    joined.set(a)
    joined.set(b, a.length)
    return joined
  }
  if (a instanceof CelDuration && b instanceof CelDuration) return durationOf(a.nanoseconds + b.nanoseconds)
  if (a instanceof CelTimestamp && b instanceof CelDuration) return moved(a, b.nanoseconds)
  if (a instanceof CelDuration && b instanceof CelTimestamp) return moved(b, a.nanoseconds)
  return wrong(a, b)
}

export function minus(a: Value, b: Value): Value {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value - b.value)
  if (a instanceof CelDuration && b instanceof CelDuration) return durationOf(a.nanoseconds - b.nanoseconds)
  if (a instanceof CelTimestamp && b instanceof CelDuration) return moved(a, -b.nanoseconds)
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return durationOf(nanosecondsOf(a) - nanosecondsOf(b))
  return integers(a, b, subtract) ?? wrong(a, b)
}

export function multiplied(a: Value, b: Value): Value {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value * b.value)
  return integers(a, b, multiply) ?? wrong(a, b)
}

export function divided(a: Value, b: Value): Value {
  if (a instanceof CelDouble && b instanceof CelDouble) return new CelDouble(a.value / b.value)
  return isZero(b) ? (isSameInteger(a, b) ? divisionByZero : wrong(a, b)) : (integers(a, b, divide) ?? wrong(a, b))
}

export function modulo(a: Value, b: Value): Value {
  return isZero(b) ? (isSameInteger(a, b) ? modulusByZero : wrong(a, b)) : (integers(a, b, remainder) ?? wrong(a, b))
}

export function negated(value: Value): Value {
  if (value instanceof CelDouble) return new CelDouble(-value.value)
  return isInt(value) ? (subtract(0, value, intOf) ?? intOverflow) : failureOf(value)
}

function isZero(value: Value): boolean {
  return value === 0 || (value instanceof CelUint && value.value === 0)
}

function isSameInteger(a: Value, b: Value): boolean {
  return isInt(b) ? isInt(a) : a instanceof CelUint
}

function durationOf(nanoseconds: bigint): Value {
  return intOf(nanoseconds) === undefined ? durationOverflow : new CelDuration(nanoseconds)
}

function nanosecondsOf(time: CelTimestamp): bigint {
  return BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds)
}

function moved(time: CelTimestamp, by: bigint): Value {
  const whole = nanosecondsOf(time) + by
  const rest = ((whole % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = Number((whole - rest) / 1_000_000_000n)
  return seconds < firstSecond || seconds > lastSecond ? timestampOverflow : new CelTimestamp(seconds, Number(rest))
}
