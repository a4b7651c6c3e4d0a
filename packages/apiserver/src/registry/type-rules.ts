// What an add-on says about the writes of a custom resource of its own, as built-in kinds do for themselves.

import type { Cause, KubeObject } from '@homeostat/meta'
import type { User } from '../authn/user.ts'
import type { ResourceType } from './resource-type.ts'
import { typeWith } from './type-with.ts'

export interface TypeRules {
  readonly group: string
  readonly resource: string
  /** Sets, in place, what a new object begins with; a status that the client sent has gone by then. */
  prepareForCreate?(object: KubeObject, user: User | undefined): void
  /** What is wrong with a new object beyond its schema. */
  validate?(object: KubeObject): Cause[]
  /** What is wrong with a change beside the status. */
  validateUpdate?(object: KubeObject, old: KubeObject, user: User | undefined): Cause[]
}

/** The type with the rules that name it. */
export function ruledType(type: ResourceType, all: readonly TypeRules[]): ResourceType {
  const rules = all.find(({ group, resource }) => group === type.group && resource === type.resource)
  if (rules === undefined) return type
  const { strategy } = type
  return typeWith(type, {
    strategy: {
      ...strategy,
      preparesNothing: strategy.preparesNothing === true && rules.prepareForCreate === undefined,
      prepareForCreate(object, user) {
        strategy.prepareForCreate(object, user)
        rules.prepareForCreate?.(object, user)
      },
      validate: (object) => [...strategy.validate(object), ...(rules.validate?.(object) ?? [])],
      validateUpdate: (object, old, user) => [
        ...strategy.validateUpdate(object, old, user),
        ...(rules.validateUpdate?.(object, old, user) ?? []),
      ],
    },
  })
}
