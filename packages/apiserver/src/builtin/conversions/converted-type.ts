// A type whose objects are stored as another type's: what is converted is completed as the other type completes it,
// and checked as the stored form, which has all there is to check.

import { deepClone, type KubeObject } from '@homeostat/meta'
import type { Conversion, ResourceType } from '../../registry/resource-type.ts'
import { typeWith } from '../builtin-kind.ts'

export function convertedType(type: ResourceType, given: Conversion, stored: ResourceType): ResourceType {
  const { strategy } = type
  const conversion: Conversion = {
    fromStored(object) {
      const shown = given.fromStored(object)
      strategy.applyDefaults(shown)
      return shown
    },
    toStored(object) {
      const kept = given.toStored(object)
      stored.strategy.applyDefaults(kept)
      return kept
    },
  }
  const asStored = (object: KubeObject) => conversion.toStored(deepClone(object))
  return typeWith(type, {
    conversion,
    strategy: {
      ...strategy,
      validate: (object) => [...stored.strategy.validate(asStored(object)), ...strategy.validate(object)],
      validateUpdate: (object, old) => [
        ...stored.strategy.validateUpdate(asStored(object), asStored(old)),
        ...strategy.validateUpdate(object, old),
      ],
    },
  })
}
