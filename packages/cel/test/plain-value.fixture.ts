// Values as the recorded data writes them: {"int": text}, {"uint": text}, {"double": text}, {"type": name}, or JSON.

import { itemsOf } from '../src/values/lists.ts'
import { typeNameOf } from '../src/values/type-of-value.ts'
import { CelDouble, CelList, CelUint, type Value } from '../src/values/value.ts'

export function plainOf(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' || typeof value === 'bigint') return { int: String(value) }
  if (value instanceof CelDouble) return { double: doubleText(value.value) }
  if (value instanceof CelUint) return { uint: String(value.value) }
  if (value instanceof CelList) return itemsOf(value).map(plainOf)
  return { type: typeNameOf(value as Value) }
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
