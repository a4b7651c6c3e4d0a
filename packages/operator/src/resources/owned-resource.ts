// A handle on an object that a custom resource owns: it applies with the owner reference, and the object is pruned when
// the handle is no longer in the author's code. `CustomResource.own` creates it.

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

  /** The whole stored object. */
  get live(): T | undefined {
    return this.resource.live
  }

  /** The spec as applied, without what the server added. */
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

  /**
   * Creates or updates the object. The body is all that this operator wants of it: fields that are left out are
   * removed.
   */
  async ensure(body: Body<T>): Promise<Patched> {
    await this.#checkScope()
    const { metadata = {} } = body as { metadata?: SentMetadata }
    const ownerReferences = [...(metadata.ownerReferences ?? []), this.#ownerRef()]
    return this.resource.patch({ ...body, metadata: { ...metadata, ownerReferences } })
  }

  delete(): Promise<void> {
    return this.resource.delete()
  }

  /**
   * Refuses an owner that the garbage collector cannot find: it counts as deleted, and the object would be deleted at
   * once.
   */
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
