// Whether a value has the type that an overload wants, as far as a value tells: the items of a list are not looked at.

import type { CelType } from '../types/cel-type.ts'
import { typeNameOf } from '../values/type-of-value.ts'
import type { Value } from '../values/value.ts'

export function acceptsAtRunTime(type: CelType | undefined, value: Value): boolean {
  if (type === undefined) return false
  if (type.kind === 'dyn' || type.kind === 'parameter') return true
  return type.name === typeNameOf(value)
}
