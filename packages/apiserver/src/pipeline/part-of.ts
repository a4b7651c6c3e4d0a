// The part of an object that a write is about: all of it, its status, or another subresource. Each has rules of its own
// for what such a write leaves alone, and for what is wrong with it.

import type { Cause, KubeObject } from '@homeostat/meta'
import type { User } from '../identity/user.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export interface Part {
  /** Takes from `old`, in place, all that a write of this part does not change. */
  prepare(object: KubeObject, old: KubeObject): void
  validateUpdate(object: KubeObject, old: KubeObject, user: User): Cause[]
  /** An action, such as binding a pod, carries out what was wanted already. */
  readonly countsGenerations: boolean
}

export function partOf({ strategy, subresources }: ResourceType, subresource: string | undefined): Part {
  if (subresource === 'status') {
    return {
      prepare: strategy.prepareForStatusUpdate,
      validateUpdate: strategy.validateStatusUpdate ?? strategy.validateUpdate,
      countsGenerations: true,
    }
  }
  const part = subresource === undefined ? undefined : subresources.others?.[subresource]
  return {
    prepare: part ? (object, old) => part.prepare?.(object, old) : strategy.prepareForUpdate,
    validateUpdate: part?.validateUpdate ?? strategy.validateUpdate,
    countsGenerations: part?.act === undefined,
  }
}
