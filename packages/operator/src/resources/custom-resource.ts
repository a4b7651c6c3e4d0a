// The base class of the class style: one instance stands for one object, from when it is first seen until it is gone.
// Authors extend it; the framework makes the instances and calls reconcile, never two at a time for one object.

import type { KindName } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import type { Conditions, EventInput } from '../runtime/run.ts'
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
import { Resource } from './resource.ts'
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

/** What a constructor gets, to hand on to `super`. */
export interface CustomResourceOptions<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
> {
  readonly services: Services
  /** The framework's side. */
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
  /** Read at any time. Set in a run, and written with all the others when the run ends. */
  readonly conditions: Conditions
  /** Asks for a run. Bound, so that it can be given to `on` as it is. */
  readonly queueReconcile: (cause?: unknown) => void
  readonly #instance: Instance

  constructor(options: CustomResourceOptions<TSpec, TStatus, TScope>) {
    const { instance } = options
    this.#instance = instance
    this.services = options.services
    this.name = instance.ref.name
    this.namespace = options.namespace
    this.conditions = new InstanceConditions(instance)
    this.queueReconcile = (cause) =>
      instance.queue(cause instanceof Resource ? `${shownRef(cause)} changed` : 'queueReconcile')
  }

  /**
   * Makes the world as the spec says. Called when the object, or something that was read or listened to, has changed,
   * and again after failures. As a method or as an arrow function in a field.
   */
  abstract reconcile(): Promise<MethodOutcome>

  /** Having it adds a finalizer: it is called when the object is being deleted, until it succeeds; then the object goes. */
  cleanup?(): Promise<MethodOutcome>

  /** So that a misspelt method does not compile; `refuseMisspelt` sees to programs in JavaScript. */
  declare readonly cleanUp?: 'write cleanup()'
  declare readonly setUp?: 'write setup()'

  /** Called once, before the first reconcile of this instance; again when it failed. */
  setup?(): Promise<void>

  get apiVersion(): string {
    return this.#instance.ref.apiVersion
  }

  get kind(): string {
    return this.#instance.ref.kind
  }

  /** False when the object is gone, also when that happens during a run. */
  get exists(): boolean {
    return this.#instance.exists
  }

  /** The spec as the schema parsed it, once per generation. */
  get spec(): SpecOf<TSpec> {
    return this.#instance.spec as SpecOf<TSpec>
  }

  /** As it was written last: what this run patches is not in it. */
  get status(): StatusOf<TStatus> | undefined {
    return (this.#instance.object as { status?: StatusOf<TStatus> }).status
  }

  get metadata(): ResourceMetadata<TScope> {
    return this.#instance.object.metadata as ResourceMetadata<TScope>
  }

  /** To own other objects by: they go when this one does. */
  get ref(): OwnerReference {
    const { apiVersion, kind, name } = this.#instance.ref
    return { apiVersion, kind, name, uid: this.#instance.uid, controller: true, blockOwnerDeletion: true }
  }

  /** Ends when the run takes too long, the operator ends or is no longer the leader. For calls to other systems. */
  get signal(): AbortSignal {
    return this.#instance.scope?.run?.signal ?? AbortSignal.abort(new Error('no run is under way'))
  }

  /**
   * Looks after one part and keeps the condition of that name. A part that throws does not stop the others; the run is
   * tried again when a part failed. Answers what the part reported.
   */
  async reconcileSubresource(name: string, part: () => Promise<SubresourceResult>): Promise<SubresourceResult> {
    const scope = this.#instance.scope
    if (!scope?.run) {
      this.#instance.outsideRun(`reconcileSubresource(${JSON.stringify(name)})`)
      return { ready: false, reason: 'OutsideRun' }
    }
    // Its place is taken now, so that parts that run side by side are always told in the same order.
    scope.subresources.set(name, unfinishedSubresource(name))
    const { misreads } = scope
    let reported = await report(name, part)
    // It compared with what the server writes in another way and updated what was so already. The handle knows better by
    // now, and no change of an object would bring another run.
    if (!reported.result.ready && scope.misreads > misreads) reported = await report(name, part)
    scope.subresources.set(name, reported)
    await scope.run?.conditions.set(name, subresourceCondition(reported.result))
    return reported.result
  }

  /** Merges into the status that is written when the run ends. */
  async patchStatus(fields: StatusPatch<TStatus>): Promise<void> {
    const run = this.#instance.scope?.run
    if (run) run.patchStatus(fields as Readonly<Record<string, unknown>>)
    else this.#instance.outsideRun('patchStatus')
  }

  /** Tells of something in an Event about this object. The same again is counted, not repeated. */
  event(event: EventInput): void {
    const run = this.#instance.scope?.run
    if (run) run.event(event)
    else this.#instance.outsideRun('event')
  }

  /**
   * A handle on an object that belongs to this one: watched, applied with the owner reference, and removed when this
   * handle is no longer asked for. Best kept in a field. The name is this object's unless another is given.
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
