// Creates handles on objects, and returns the same handle for the same object while anything references it, so that
// listeners and the last apply are in one place. It holds only weak references.

import type { ApiObject, KindName, NamespaceFor } from '@homeostat/client'
import { objectKey } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'
import { Resource } from './resource.ts'
import { ResourceChanges } from './resource-changes.ts'
import type { KindOf } from './resource-types.ts'
import { currentScope, outOfScope } from './scope.ts'
import type { Services } from './services.ts'

export interface ResourceName<A extends string, K extends string> extends ObjectRef {
  readonly apiVersion: A
  readonly kind: KindName<A, K>
  readonly namespace?: NamespaceFor<A, K>
}

export interface ListSelection {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
}

export class ResourceService {
  readonly #services: Services
  readonly #changes: ResourceChanges
  readonly #handles = new Map<string, WeakRef<Resource<never>>>()
  readonly #unheld = new FinalizationRegistry<string>((key) => this.#drop(key))

  constructor(services: Services) {
    this.#services = services
    this.#changes = new ResourceChanges(services.cluster)
  }

  /** Number of live handles, and of objects with listeners. */
  get size(): { readonly handles: number; readonly listened: number } {
    return { handles: this.#handles.size, listened: this.#changes.size }
  }

  /** Returns a handle, even on an object that does not exist yet. Opens the informer of its kind. */
  get<const A extends string, const K extends string>(name: ResourceName<A, K>): Resource<KindOf<A, K>> {
    return this.of<KindOf<A, K>>(name)
  }

  /** Like `get`, with a type of the caller's choice. */
  of<T extends ApiObject>(name: ObjectRef): Resource<T> {
    currentScope()?.saw(name)
    const key = objectKey(`${name.apiVersion} ${name.kind}`, name)
    const known = this.#handles.get(key)?.deref()
    if (known) return known as unknown as Resource<T>
    const { cluster } = this.#services
    outOfScope(() => cluster.informer(name.apiVersion, name.kind))
    const handle = new Resource<T>(name, cluster, this.#changes)
    this.#handles.set(key, new WeakRef(handle as unknown as Resource<never>))
    this.#unheld.register(handle, key)
    return handle
  }

  /**
   * The objects of a kind, of one namespace or with labels, from its cache. Within a reconcile it is tracked: one that
   * appears, changes or goes queues the object. A kind that is not served has none.
   */
  async list<const A extends string, const K extends string>(
    { apiVersion, kind }: { readonly apiVersion: A; readonly kind: KindName<A, K> },
    select: ListSelection = {},
  ): Promise<KindOf<A, K>[]> {
    const run = currentScope()?.run
    if (!run) throw new Error('list() belongs to a reconcile: outside of one, use the client')
    if ((await run.kind({ apiVersion, kind })) === undefined) return []
    return run.readAll<KindOf<A, K>>({ apiVersion, kind }, select)
  }

  #drop(key: string): void {
    // A new handle may have been created between the collection of the old one and this call.
    if (this.#handles.get(key)?.deref() === undefined) this.#handles.delete(key)
  }
}
