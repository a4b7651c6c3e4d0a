// The type of a value that an expression has literally.

import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  intType,
  nullType,
  stringType,
  uintType,
} from '../types/cel-type.ts'
import { CelDouble, CelUint, type Value } from '../values/value.ts'

export function literalType(value: Value): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType
    case 'number':
    case 'bigint':
      return intType
    case 'string':
      return stringType
    default:
      if (value === null) return nullType
      if (value instanceof CelDouble) return doubleType
      if (value instanceof CelUint) return uintType
      return value instanceof Uint8Array ? bytesType : dynType
  }
}
