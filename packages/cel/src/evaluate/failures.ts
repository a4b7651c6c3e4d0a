// The failures of the language itself, in CEL's words.

import { typeNameOf } from '../values/type-of-value.ts'
import { CelDouble, CelUint, Failure, type Value } from '../values/value.ts'

export const noOverload = new Failure('no such overload')
export const divisionByZero = new Failure('division by zero')
export const modulusByZero = new Failure('modulus by zero')
export const intOverflow = new Failure('integer overflow')
export const uintOverflow = new Failure('unsigned integer overflow')
export const durationOverflow = new Failure('duration overflow')
export const timestampOverflow = new Failure('timestamp overflow')
export const noValue = new Failure('optional.none() dereference')

export function noSuchKey(key: Value): Failure {
  return new Failure(`no such key: ${shown(key)}`)
}

export function outOfBounds(index: Value): Failure {
  return new Failure(`index out of bounds: ${shown(index)}`)
}

/** A failure that a value is, else that the value has a wrong type. */
export function failureOf(value: Value): Failure {
  return value instanceof Failure ? value : noOverload
}

export function conversionFailure(value: Value, type: string): Failure {
  return new Failure(`type conversion error from '${typeNameOf(value)}' to '${type}'`)
}

function shown(value: Value): string {
  if (value instanceof CelDouble || value instanceof CelUint) return String(value.value)
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value)
}
