// The base class of the class style: one instance represents one object, from when it is first seen until it is gone.
// Authors extend it; the framework creates the instances and calls reconcile, never concurrently for one object.

import type { KindName } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import type { Conditions, EventInput } from '../runtime/reconcile-context.ts'
import type {
  MethodOutcome,
  NamespaceOf,
  ResourceMetadata,
  ResourceScope,
  SpecOf,
  SpecSchema,
  StatusOf,
  StatusPatch,
  StatusSchema,
} from './custom-resource-types.ts'
import type { Instance } from './instance.ts'
import { InstanceConditions } from './instance-conditions.ts'
import { OwnedResource } from './owned-resource.ts'
import { isResource } from './resource.ts'
import { ResourceService } from './resource-service.ts'
import type { KindOf } from './resource-types.ts'
import type { Services } from './services.ts'
import {
  type Subresource,
  type SubresourceResult,
  subresourceCondition,
  thrownSubresource,
  unfinishedSubresource,
} from './subresources.ts'

/** The argument of a constructor, to pass to `super`. */
export interface CustomResourceOptions<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
> {
  readonly services: Services
  /** The framework's state of this instance. */
  readonly instance: Instance
  readonly spec: SpecOf<TSpec>
  readonly status: StatusOf<TStatus> | undefined
  readonly namespace: NamespaceOf<TScope>
}

export abstract class CustomResource<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
> {
  readonly services: Services
  readonly name: string
  readonly namespace: NamespaceOf<TScope>
  /** Can be read at any time. Set it in a reconcile; all conditions are written when that ends. */
  readonly conditions: Conditions
  /** Queues this object. Bound, so that it can be passed to `on` directly. */
  readonly queueReconcile: (cause?: unknown) => void
  readonly #instance: Instance

  constructor(options: CustomResourceOptions<TSpec, TStatus, TScope>) {
    const { instance } = options
    this.#instance = instance
    this.services = options.services
    this.name = instance.ref.name
    this.namespace = options.namespace
    this.conditions = new InstanceConditions(instance)
    this.queueReconcile = (cause) => instance.queue(isResource(cause) ? `${shownRef(cause)} changed` : 'queueReconcile')
  }

  /**
   * Brings the cluster to the state that the spec describes. Called when the object, or anything that was read or
   * listened to, changed, and again after failures. A method, or an arrow function in a field.
   */
  abstract reconcile(): Promise<MethodOutcome>

  /** Its presence adds a finalizer: called on deletion until it succeeds; then the object is gone. */
  cleanup?(): Promise<MethodOutcome>

  /** Makes a misspelt method a compile error; `refuseMisspelt` checks JavaScript programs at run time. */
  declare readonly cleanUp?: 'write cleanup()'
  declare readonly setUp?: 'write setup()'

  /** Called once before the first reconcile of this instance, and again if it failed. */
  setup?(): Promise<void>

  get apiVersion(): string {
    return this.#instance.ref.apiVersion
  }

  get kind(): string {
    return this.#instance.ref.kind
  }

  /** False when the object is gone, even during a reconcile. */
  get exists(): boolean {
    return this.#instance.exists
  }

  /** The spec as the schema parsed it, once per generation. */
  get spec(): SpecOf<TSpec> {
    return this.#instance.spec as SpecOf<TSpec>
  }

  /** The status as last written: patches of this reconcile are not in it. */
  get status(): StatusOf<TStatus> | undefined {
    return (this.#instance.object as { status?: StatusOf<TStatus> }).status
  }

  get metadata(): ResourceMetadata<TScope> {
    return this.#instance.object.metadata as ResourceMetadata<TScope>
  }

  /** Owner reference to this object: garbage collection deletes what carries it along with this object. */
  get ref(): OwnerReference {
    const { apiVersion, kind, name } = this.#instance.ref
    return { apiVersion, kind, name, uid: this.#instance.uid, controller: true, blockOwnerDeletion: true }
  }

  /** Aborts on timeout, on shutdown, and when this process is no longer the leader. For calls to other systems. */
  get signal(): AbortSignal {
    return this.#instance.scope?.run?.signal ?? AbortSignal.abort(new Error('no run is under way'))
  }

  /**
   * Reconciles one part and sets the condition of that name. A part that throws does not stop the others; when a part
   * failed, the reconcile is retried. Returns what the part reported.
   */
  async reconcileSubresource(name: string, part: () => Promise<SubresourceResult>): Promise<SubresourceResult> {
    const scope = this.#instance.scope
    if (!scope?.run) {
      this.#instance.outsideRun(`reconcileSubresource(${JSON.stringify(name)})`)
      return { ready: false, reason: 'OutsideRun' }
    }
    // Reserves the place now, so that concurrent parts are always reported in the same order.
    scope.subresources.set(name, unfinishedSubresource(name))
    const { misreads } = scope
    let reported = await report(name, part)
    // The part compared with a value that the server spells differently, and updated what was already right. The handle
    // has the right value now, and no change would queue the key: call the part again.
    if (!reported.result.ready && scope.misreads > misreads) reported = await report(name, part)
    scope.subresources.set(name, reported)
    await scope.run?.conditions.set(name, subresourceCondition(reported.result))
    return reported.result
  }

  /** Merges into the status, which is written when the reconcile ends. */
  async patchStatus(fields: StatusPatch<TStatus>): Promise<void> {
    const run = this.#instance.scope?.run
    if (run) run.patchStatus(fields as Readonly<Record<string, unknown>>)
    else this.#instance.outsideRun('patchStatus')
  }

  /** Records an Event about this object. Equal events are counted, not repeated. */
  event(event: EventInput): void {
    const run = this.#instance.scope?.run
    if (run) run.event(event)
    else this.#instance.outsideRun('event')
  }

  /**
   * A handle on a child: watched, applied with the owner reference, and pruned when the code no longer requests this
   * handle. Best kept in a field. The name defaults to this object's.
   */
  own<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
    name: string | { readonly name: string; readonly namespace: string } = this.name,
  ): OwnedResource<KindOf<A, K>> {
    const place = typeof name === 'string' ? { name, namespace: this.namespace } : name
    const ref = { apiVersion, kind, ...place }
    const resource = this.services.get(ResourceService).get(ref)
    this.#instance.own(ref)
    return new OwnedResource(resource, this.#instance, () => this.ref)
  }
}

async function report(name: string, part: () => Promise<SubresourceResult>): Promise<Subresource> {
  try {
    const result = await part()
    if (!result) throw new Error('it reported nothing: return { ready: … }')
    return { name, result }
  } catch (error) {
    return thrownSubresource(name, error)
  }
}
