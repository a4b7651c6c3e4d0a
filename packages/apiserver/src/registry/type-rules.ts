// What an add-on says about the writes of a custom resource of its own, as built-in kinds do for themselves. Loaded with
// the first of them. Rules see only objects that the schema accepts, so they need not check the shape of anything.

import type { Cause, KubeObject } from '@homeostat/meta'
import type { User } from '../identity/user.ts'
import type { ResourceType } from './resource-type.ts'
import { typeWith } from './type-with.ts'
import type { WriteEnd } from './write-end.ts'

export interface TypeRules {
  readonly group: string
  readonly resource: string
  load(): Promise<WriteRules>
}

export interface WriteRules {
  /** Sets, in place, what a new object begins with; a status that the client sent has gone by then. */
  prepareForCreate?(object: KubeObject, user: User | undefined): void
  /** What is wrong with a new object beyond its schema. */
  validate?(object: KubeObject): Cause[]
  /** A last look at a new object before it is stored; see Strategy. */
  beforeInsert?(object: KubeObject): WriteEnd | undefined
  /** What is wrong with a change beside the status. */
  validateUpdate?(object: KubeObject, old: KubeObject, user: User | undefined): Cause[]
}

/** The type with the rules that name it. */
export function ruledType(type: ResourceType, all: readonly TypeRules[]): ResourceType {
  const named = all.find(({ group, resource }) => group === type.group && resource === type.resource)
  if (named === undefined) return type
  const { strategy } = type
  let loaded: WriteRules | undefined
  const load = async (first: Promise<void> | undefined) => {
    await first
    loaded = await named.load()
  }
  const rules = (): WriteRules => {
    if (loaded === undefined) throw new Error(`the rules of ${type.resource} are used before they are loaded`)
    return loaded
  }
  return typeWith(type, {
    compile: () => (loaded === undefined ? load(type.compile?.()) : type.compile?.()),
    strategy: {
      ...strategy,
      prepareValidated: (object, user) => rules().prepareForCreate?.(object, user),
      beforeInsert: (object) => rules().beforeInsert?.(object),
      validate: (object) => firstCauses(strategy.validate(object), () => rules().validate?.(object)),
      validateUpdate: (object, old, user) =>
        firstCauses(strategy.validateUpdate(object, old, user), () => {
          const validateUpdate = rules().validateUpdate
          // What is stored may be of an older schema, and ratcheting accepts what stays as wrong as it was.
          if (validateUpdate === undefined || strategy.validate(old).length > 0) return undefined
          return validateUpdate(object, old, user)
        }),
    },
  })
}

/** The rules are asked only when the schema found nothing. */
function firstCauses(schema: Cause[], rules: () => Cause[] | undefined): Cause[] {
  return schema.length > 0 ? schema : (rules() ?? [])
}
