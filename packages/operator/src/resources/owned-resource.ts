// A handle on an object that belongs to a custom resource: what it applies has the owner reference, and the object is
// removed when the handle is no longer in the author's code. `CustomResource.own` makes it.

import type { ApiObject, LooseObject } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { refuseForeignOwner } from '../runtime/owner-scope.ts'
import type { Instance } from './instance.ts'
import type { Patched, Resource } from './resource.ts'
import type { Body, Part, SentMetadata } from './resource-types.ts'

export class OwnedResource<T extends ApiObject = LooseObject> {
  readonly resource: Resource<T>
  readonly #owner: Instance
  readonly #ownerRef: () => OwnerReference

  constructor(resource: Resource<T>, owner: Instance, ownerRef: () => OwnerReference) {
    this.resource = resource
    this.#owner = owner
    this.#ownerRef = ownerRef
  }

  get name(): string {
    return this.resource.name
  }

  get exists(): boolean {
    return this.resource.exists
  }

  /** The whole object as the server has it. */
  get live(): T | undefined {
    return this.resource.live
  }

  /** As it was applied, without what the server added. */
  get spec(): Part<T, 'spec'> | undefined {
    return this.resource.spec
  }

  get data(): Part<T, 'data'> | undefined {
    return this.resource.data
  }

  get status(): Part<T, 'status'> | undefined {
    return this.resource.status
  }

  get metadata(): T['metadata'] | undefined {
    return this.resource.metadata
  }

  /** Creates the object or makes it so. It says all that this operator wants of the object: what is left out goes. */
  async ensure(body: Body<T>): Promise<Patched> {
    await this.#checkScope()
    const { metadata = {} } = body as { metadata?: SentMetadata }
    const ownerReferences = [...(metadata.ownerReferences ?? []), this.#ownerRef()]
    return this.resource.patch({ ...body, metadata: { ...metadata, ownerReferences } })
  }

  delete(): Promise<void> {
    return this.resource.delete()
  }

  /** An owner that the garbage collector cannot find counts as gone, and the object would be removed at once. */
  async #checkScope(): Promise<void> {
    const { namespace } = this.#owner.ref
    if (namespace === undefined) return
    const { apiVersion, kind } = this.resource
    const { scope, services } = this.#owner
    const info = await (scope?.run?.kind({ apiVersion, kind }) ?? services.cluster.client.discover(apiVersion, kind))
    if (!info || (info.namespaced && this.resource.namespace === namespace)) return
    const { apiVersion: version, kind: owners, name } = this.#owner.ref
    const owner = { apiVersion: version, kind: owners, metadata: { name, namespace, uid: this.#owner.uid } }
    const place = info.namespaced ? this.resource : { apiVersion, kind, name: this.resource.name }
    refuseForeignOwner(owner, place, [this.#ownerRef()])
  }
}
