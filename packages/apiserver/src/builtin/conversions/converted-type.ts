// A type whose objects are stored as another type's: what is converted is completed as the other type completes it,
// and checked as the stored form, which has all there is to check.

import { deepClone, type KubeObject } from '@homeostat/meta'
import type { Conversion, ResourceType } from '../../registry/resource-type.ts'
import { typeWith } from '../../registry/type-with.ts'
import { withStrategy } from '../builtin-kind.ts'

export function convertedType(type: ResourceType, given: Conversion, stored: ResourceType): ResourceType {
  const conversion: Conversion = {
    fromStored(object) {
      const shown = given.fromStored(object)
      type.strategy.applyDefaults(shown)
      return shown
    },
    toStored(object) {
      const kept = given.toStored(object)
      stored.strategy.applyDefaults(kept)
      return kept
    },
  }
  const asStored = (object: KubeObject) => conversion.toStored(deepClone(object))
  const converting = typeWith(type, { conversion, load: () => stored.load?.() })
  return withStrategy(converting, (strategy) => ({
    ...strategy,
    validate: (object) => [...stored.strategy.validate(asStored(object)), ...strategy.validate(object)],
    validateUpdate: (object, old) => [
      ...stored.strategy.validateUpdate(asStored(object), asStored(old)),
      ...strategy.validateUpdate(object, old),
    ],
  }))
}
