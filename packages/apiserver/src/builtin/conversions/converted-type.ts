// A type whose objects are stored as another type. A converted object gets the defaults of the type that it is
// converted to, and is validated in the stored form, which has all fields.

import { deepClone, type KubeObject } from '@homeostat/meta'
import type { Conversion, ResourceType, Strategy } from '../../registry/resource-type.ts'
import { typeWith } from '../../registry/type-with.ts'

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
  const own = type.strategy
  const strategy: Strategy = {
    ...own,
    validate: (object) => [...stored.strategy.validate(asStored(object)), ...own.validate(object)],
    validateUpdate: (object, old) => [
      ...stored.strategy.validateUpdate(asStored(object), asStored(old)),
      ...own.validateUpdate(object, old),
    ],
  }
  return typeWith(type, { conversion, strategy })
}
