// Copies a type with some properties replaced. Spreading would call its lazy getters.

import type { ResourceType } from './resource-type.ts'
import { TypeMemo } from './type-memo.ts'

export function typeWith(type: ResourceType, parts: Partial<ResourceType>): ResourceType {
  const own = Object.getOwnPropertyDescriptors
  return Object.defineProperties({}, { ...own(type), ...own(parts), ...own({ memo: new TypeMemo() }) }) as ResourceType
}
