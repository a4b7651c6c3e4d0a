// An authorizer over the default roles, or over given ones, without a server.

import type { KubeObject } from '@homeostat/meta'
import { bootstrapObjects } from '../../controllers/bootstrap-objects.ts'
import { RBAC_GROUP } from './policy-rule.ts'
import { RbacAuthorizer } from './rbac-authorizer.ts'
import { RoleIndex, type RoleSource } from './role-index.ts'

export function defaultRoles(): KubeObject[] {
  return bootstrapObjects().flatMap(({ resource, object }) => (resource.group === RBAC_GROUP ? [object()] : []))
}

/** Objects that a test may set and delete after the index has read them. */
export class FakeRoles {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  readonly #listeners = new Map<string, (name: string, object: KubeObject | undefined) => void>()

  constructor(objects: readonly KubeObject[]) {
    for (const object of objects) this.set(object)
  }

  readonly source: RoleSource = (resource, set) => {
    this.#listeners.set(resource, set)
    for (const [name, object] of this.#objects.get(resource) ?? []) set(name, object)
  }

  set(object: KubeObject): void {
    const [resource, name] = placeOf(object)
    const objects = this.#objects.get(resource) ?? new Map()
    this.#objects.set(resource, objects.set(name, object))
    this.#listeners.get(resource)?.(name, object)
  }

  delete(object: KubeObject): void {
    const [resource, name] = placeOf(object)
    this.#objects.get(resource)?.delete(name)
    this.#listeners.get(resource)?.(name, undefined)
  }
}

function placeOf({ kind, metadata }: KubeObject): [string, string] {
  const { namespace, name = '' } = metadata
  return [`${kind?.toLowerCase()}s`, namespace === undefined ? name : `${namespace}/${name}`]
}

export function rolesAuthorizer(objects = defaultRoles()): RbacAuthorizer {
  return new RbacAuthorizer(new RoleIndex(new FakeRoles(objects).source))
}
