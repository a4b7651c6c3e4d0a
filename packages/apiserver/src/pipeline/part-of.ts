// The part of an object that a write changes: the whole object, its status, or another subresource. Each part has its own
// rules for the fields that the write leaves alone and for validation.

import type { KubeObject } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import type { User } from '../identity/user.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export interface Part {
  /** Copies from `old`, in place, every field that a write of this part cannot change. */
  prepare(object: KubeObject, old: KubeObject): void
  validateUpdate(object: KubeObject, old: KubeObject, user: User): Cause[]
  /** False for an action such as binding a pod: it does not change the desired state. */
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
