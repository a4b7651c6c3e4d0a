// The rules of an add-on for writes of its own custom resource. The first write loads them. They see only objects that
// the schema accepts, so they need not check types.

import type { KubeObject } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import type { ResourceAttributes } from '../identity/resource-attributes.ts'
import type { User } from '../identity/user.ts'
import type { AdmittedWrite } from './admission-step.ts'
import type { ResourceType } from './resource-type.ts'
import { typeWith } from './type-with.ts'
import type { WriteEnd } from './write-end.ts'

export interface TypeRules {
  readonly group: string
  readonly resource: string
  load(): Promise<WriteRules>
  /** A POST of a list to the collection creates its items, each by itself. Default: it is refused, as by Kubernetes. */
  readonly createsLists?: boolean
  /** No webhook and no policy is asked about writes of the status, which the server itself makes for each step. */
  readonly ownStatus?: boolean
  /**
   * The permissions that a create or an update needs beyond the one for its path, e.g. for a value that it sets. Not asked
   * for the administrator. May throw a StatusError instead.
   */
  permissions?(write: Pick<AdmittedWrite, 'request' | 'object' | 'old'>): readonly ResourceAttributes[]
}

export interface WriteRules {
  /** Sets the initial fields of a new object, in place. A status that the client sent has been dropped. */
  prepareForCreate?(object: KubeObject, user: User | undefined): void
  /** Validates a new object beyond its schema. */
  validate?(object: KubeObject): Cause[]
  /** The last check of a new object before it is stored; see CreateRules. */
  beforeInsert?(object: KubeObject): WriteEnd | undefined
  /** Validates a change outside the status. */
  validateUpdate?(object: KubeObject, old: KubeObject, user: User | undefined): Cause[]
}

/** The type with the rules that are for it. */
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
    ...(named.ownStatus === true && { ownStatus: true }),
    compile: () => (loaded === undefined ? load(type.compile?.()) : type.compile?.()),
    strategy: {
      ...strategy,
      createsLists: named.createsLists === true,
      prepareValidated: (object, user) => rules().prepareForCreate?.(object, user),
      beforeInsert: (object) => rules().beforeInsert?.(object),
      validate: (object) => firstCauses(strategy.validate(object), () => rules().validate?.(object)),
      validateUpdate: (object, old, user) =>
        firstCauses(strategy.validateUpdate(object, old, user), () => {
          const validateUpdate = rules().validateUpdate
          // The old object may be invalid under the current schema; ratcheting accepts invalid values that stay unchanged.
          if (validateUpdate === undefined || strategy.validate(old).length > 0) return undefined
          return validateUpdate(object, old, user)
        }),
    },
  })
}

/** The rules run only if the schema finds no error. */
function firstCauses(schema: Cause[], rules: () => Cause[] | undefined): Cause[] {
  return schema.length > 0 ? schema : (rules() ?? [])
}
