// Deletes the content of namespaces under deletion and releases them once they are empty.

import { type Clock, ControlLoop, type Log, messageOf, systemClock } from '@homeostat/base'
import { type Condition, isStatusError, type KubeObject } from '@homeostat/meta'
import type { RunWrite } from '@homeostat/meta/events'
import { fieldsOf } from '../builtin/fields-of.ts'
import type { Api, ResourceName } from '../registry/api.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { ContentWatch } from './content-watch.ts'
import { deleteContent } from './delete-content.ts'
import { kindOf, metadataOf } from './metadata-bytes.ts'
import { countFinalizers, deletionConditions, planNamespace, type Remaining, released } from './namespace-plan.ts'
import { RunEvents } from './run-events.ts'

const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

/** Reconciles again after this many ms, in case an event was missed: a kind may appear while a namespace waits. */
const LOOK_AGAIN = 5_000

/** How many objects of each resource the status counts finalizers of. */
const SAMPLE = 100

export interface NamespaceControllerOptions {
  readonly api: Api
  readonly types: ResourceTypes
  readonly log: Log
  readonly clock?: Clock
}

export class NamespaceController {
  readonly #api: Api
  readonly #types: ResourceTypes
  readonly #clock: Clock
  readonly #loop: ControlLoop
  readonly #content: ContentWatch
  readonly #runs: RunEvents

  constructor({ api, types, log, clock = systemClock }: NamespaceControllerOptions) {
    this.#api = api
    this.#types = types
    this.#clock = clock
    this.#loop = new ControlLoop({ name: 'namespace', log, clock })
    this.#content = new ContentWatch(api, (name) => this.#loop.add(name))
    const controller = 'homeostat.dev/namespace-controller'
    this.#runs = new RunEvents({ api, clock, log, controller, reason: 'ContentDeleted' })
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    const stop = this.#api.subscribe(NAMESPACES, ({ name, deleted }) => {
      if (deleted) this.#content.forget(name)
      else this.#loop.add(name)
    })
    await this.#loop.run((name) => this.#reconcile(name, signal), signal)
    stop()
    this.#content.close()
    await this.#runs.close()
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<void> {
    const namespace = this.#api.get(NAMESPACES, { name })
    if (namespace === undefined || planNamespace(namespace) === 'nothing') return this.#content.forget(name)
    const all = this.#namespacedResources()
    // Pods go first: what they use stays until the last of them is gone.
    const pods = all.filter(({ group, resource }) => group === '' && resource === 'pods')
    const resources = this.#remaining(name, pods).length > 0 ? pods : all
    // Watch before the first delete, so that no deletion is missed.
    this.#content.await(
      name,
      resources.filter((resource) => this.#api.count(resource, name) > 0),
      name,
    )
    const found = resources.flatMap((resource) => this.#undeleted(resource, name))
    const failure = await this.#empty(name, resources, signal)
    if (found.length > 0) this.#tell(namespace, found)
    // This write also makes creates visible below that were in flight when the deletion began.
    const current = await this.#writeStatus(namespace, this.#remaining(name, resources), failure)
    if (failure !== undefined) throw failure
    if (this.#remaining(name, resources).length > 0) return this.#loop.addAfter(name, LOOK_AGAIN)
    if (resources === pods) return this.#loop.add(name)
    await this.#release(current)
  }

  /** The first objects that are about to be deleted, for the Event. */
  #undeleted(resource: ResourceName, namespace: string): RunWrite[] {
    return this.#api.names(resource, namespace, SAMPLE).flatMap((name) => {
      const object = this.#api.object(resource, name)
      if (object === undefined || object.damage !== undefined) return []
      if (metadataOf(object).deletionTimestamp !== undefined) return []
      return [{ did: 'deleted', object: { ...kindOf(object), ...name } }]
    })
  }

  #tell({ apiVersion, kind, metadata }: KubeObject, writes: readonly RunWrite[]): void {
    const { name = '', resourceVersion, deletionTimestamp: time } = metadata
    const trigger = { text: 'deleted', time, object: { apiVersion, kind, name }, resourceVersion }
    this.#runs.record({ apiVersion, kind, metadata }, { triggers: [trigger], writes })
  }

  /** Tries every resource and returns the first failure. */
  async #empty(name: string, resources: readonly ResourceName[], signal: AbortSignal): Promise<unknown> {
    let failure: unknown
    for (const resource of resources) {
      try {
        await deleteContent(this.#api, resource, name, signal, { propagationPolicy: 'Background' })
      } catch (error) {
        failure ??= error
      }
    }
    return failure
  }

  async #writeStatus(namespace: KubeObject, remaining: readonly Remaining[], failure: unknown): Promise<KubeObject> {
    const status = fieldsOf(namespace.status)
    const before = (status.conditions ?? []) as Condition[]
    const text = failure === undefined ? undefined : messageOf(failure)
    const conditions = deletionConditions(before, remaining, text, this.#clock.now())
    if (conditions === before) return namespace
    return this.#api.update(NAMESPACES, { ...namespace, status: { ...status, conditions } }, 'status')
  }

  async #release(namespace: KubeObject): Promise<void> {
    try {
      await this.#api.update(NAMESPACES, released(namespace), 'finalize')
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error
    }
  }

  #remaining(name: string, resources: readonly ResourceName[]): Remaining[] {
    return resources.flatMap((resource) => {
      const count = this.#api.count(resource, name)
      if (count === 0) return []
      const { group, resource: plural } = resource
      const finalizers = countFinalizers(this.#sample(resource, name))
      return [{ resource: `${plural}.${group}`, count, finalizers }]
    })
  }

  /** A sample that is large enough to count finalizers. Skips objects that cannot be decoded: they hold nothing. */
  #sample(resource: ResourceName, namespace: string): KubeObject[] {
    return this.#api.names(resource, namespace, SAMPLE).flatMap((name) => {
      try {
        return this.#api.get(resource, name) ?? []
      } catch {
        return []
      }
    })
  }

  /** Each resource once, however many versions serve it. */
  #namespacedResources(): ResourceName[] {
    const byStorage = new Map<string, ResourceName>()
    for (const { namespaced, storage, group, resource, verbs } of this.#types.all()) {
      if (!namespaced || byStorage.has(storage) || !verbs.includes('delete')) continue
      byStorage.set(storage, { group, resource })
    }
    return [...byStorage.values()]
  }
}
