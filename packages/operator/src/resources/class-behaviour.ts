// Reconciles objects with instances of an author's class: one instance per uid, created when its object is first seen
// and dropped when that is gone. Each reconcile is bound to its instance while it lasts. The runtime calls it, one key
// at a time.

import type { ApiObject, ObjectName } from '@homeostat/client'
import { SpecCache } from '../definition/accepted-spec.ts'
import { objectKey } from '../runtime/object-key.ts'
import { terminal } from '../runtime/outcome.ts'
import type { Behaviour, Outcome } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import { concludeRun, keepInventory } from './conclude-run.ts'
import { CustomResource } from './custom-resource.ts'
import type { MethodOutcome, ResourceScope, SpecSchema, StatusSchema } from './custom-resource-types.ts'
import { Instance } from './instance.ts'
import { inScope } from './scope.ts'
import type { Services } from './services.ts'

export type AnyResource = CustomResource<SpecSchema, StatusSchema, ResourceScope>

interface Held {
  readonly instance: Instance
  readonly resource: AnyResource
  readonly specs: SpecCache
  setUp: boolean
}

export interface ClassBehaviourOptions {
  readonly services: Services
  /** Returns the parsed spec; throws the outcome of the reconcile when the spec is not valid. */
  accept(run: RunContext, cache: SpecCache): Promise<unknown>
  create(instance: Instance): AnyResource
  /** Whether the cluster's cache of the kind holds its objects. */
  readonly watched: boolean
}

export class ClassBehaviour implements Behaviour<ApiObject, RunContext> {
  readonly #options: ClassBehaviourOptions
  readonly #byUid = new Map<string, Held>()
  readonly #uids = new Map<string, string>()

  constructor(options: ClassBehaviourOptions) {
    this.#options = options
  }

  /** Number of instances. */
  get size(): number {
    return this.#byUid.size
  }

  async reconcile(run: RunContext): Promise<Outcome> {
    const held = await this.#meet(run)
    return this.#during(held, run, () => held.resource.reconcile())
  }

  async needsCleanup(run: RunContext): Promise<boolean> {
    const held = await this.#meet(run)
    return held.resource.cleanup !== undefined
  }

  async cleanup(run: RunContext): Promise<Outcome> {
    const held = await this.#meetDeleted(run)
    return this.#during(held, run, async () => held.resource.cleanup?.())
  }

  forget(key: ObjectName): void {
    const name = objectKey('', key)
    const uid = this.#uids.get(name)
    if (uid === undefined) return
    this.#uids.delete(name)
    this.#byUid.get(uid)?.instance.close()
    this.#byUid.delete(uid)
  }

  async #during(held: Held, run: RunContext, work: () => Promise<MethodOutcome>): Promise<Outcome> {
    const { instance, resource } = held
    const scope = instance.begin(run)
    try {
      return await inScope(scope, async () => {
        for (const ref of instance.owned.values()) scope.saw(ref)
        await instance.whenSeen(run.signal)
        if (!held.setUp) await instance.build(() => resource.setup?.())
        held.setUp = true
        try {
          // The runtime refuses a string that is not a duration.
          return await concludeRun(instance, scope, run, (await work()) as Outcome)
        } catch (error) {
          keepInventory(instance, scope, run)
          throw error
        }
      })
    } finally {
      await instance.end(scope)
    }
  }

  /** The instance of the reconciled object, updated to its current state and spec. */
  async #meet(run: RunContext): Promise<Held> {
    const known = this.#byUid.get(uidOf(run))
    const specs = known?.specs ?? new SpecCache(1)
    const spec = await this.#options.accept(run, specs)
    known?.instance.update(run.object, spec)
    return known ?? this.#make(run, spec, specs)
  }

  /**
   * With the newest accepted spec: it may say what to do on deletion. An existing instance was built from an accepted spec,
   * so it can clean up even if the spec is invalid by now.
   */
  async #meetDeleted(run: RunContext): Promise<Held> {
    const known = this.#byUid.get(uidOf(run))
    if (!known) return this.#meet(run)
    const spec = await this.#options.accept(run, known.specs).catch(() => known.instance.spec)
    known.instance.update(run.object, spec)
    return known
  }

  #make(run: RunContext, spec: unknown, specs: SpecCache): Held {
    const { object } = run
    const { name = '', namespace } = object.metadata
    this.forget({ name, namespace })
    const instance = new Instance(this.#options.services, object, spec, this.#options.watched)
    try {
      const resource = instance.build(() => this.#options.create(instance))
      refuseMisspelt(resource)
      const held = { instance, resource, specs, setUp: false }
      this.#byUid.set(instance.uid, held)
      this.#uids.set(objectKey('', { name, namespace }), instance.uid)
      return held
    } catch (error) {
      instance.close()
      throw error
    }
  }
}

const METHODS = ['reconcile', 'cleanup', 'setup']

/**
 * Refuses a method whose name differs only in case: it would never be called, and cleanup would be skipped silently.
 */
function refuseMisspelt(resource: object): void {
  for (
    let at: object | null = resource;
    at !== null && at !== CustomResource.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const method = METHODS.find((one) => one === name.toLowerCase())
      if (method === undefined || method === name) continue
      throw terminal(
        new Error(`the class has a method ${name}(), which nobody calls: write ${method}()`),
        'WrongMethod',
      )
    }
  }
}

function uidOf(run: RunContext): string {
  return run.object.metadata.uid ?? ''
}
