// What a key of a map is looked up by: numbers of all kinds that are equal are one key. Undefined for what cannot be a key.

import { CelDouble, CelUint, type Value } from './value.ts'

export function hashKeyOf(key: Value): unknown {
  switch (typeof key) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return key
    default:
      if (key instanceof CelUint) return key.value
      if (key instanceof CelDouble) return Number.isInteger(key.value) ? integerOf(key.value) : key.value
      return undefined
  }
}

function integerOf(value: number): number | bigint {
  return Number.isSafeInteger(value) ? value : BigInt(value)
}
