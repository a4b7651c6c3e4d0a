// A type with some parts of it replaced. Spreading would read its getters, which bring in what may never be needed.

import type { ResourceType } from './resource-type.ts'
import { TypeMemo } from './type-memo.ts'

export function typeWith(type: ResourceType, parts: Partial<ResourceType>): ResourceType {
  const own = Object.getOwnPropertyDescriptors
  return Object.defineProperties({}, { ...own(type), ...own(parts), ...own({ memo: new TypeMemo() }) }) as ResourceType
}
