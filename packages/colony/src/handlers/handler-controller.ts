// The controller of resources with a handler: keeps one Process for every resource that has to be reconciled. It reads one
// resource at a time as it is committed and carries out the plan. It is level-triggered: which change queued it does not matter.

import type { Api } from '@homeostat/apiserver'
import { ControlLoop } from '@homeostat/base'
import { RECONCILE_ANNOTATION } from '@homeostat/executor/protocol'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { NAMESPACES } from '../kinds/resources.ts'
import { reconcileComposite } from './composite.ts'
import { COMPOSITE, type HandledKind } from './handled-kind.ts'
import { HandledKinds } from './handled-kinds.ts'
import { type Action, planProcess, type Trigger } from './handler-plan.ts'
import type { HandlerParts } from './handling.ts'
import { Hold } from './hold.ts'
import { OwnerBridge } from './owners.ts'
import { CLUSTER_NAMESPACE } from './process-manifest.ts'
import { letGo, releaseUnhandled } from './release.ts'
import type { ResourceChildren } from './resource-children.ts'
import { ResourceKeys } from './resource-keys.ts'
import { ResourceProcessWriter } from './resource-process-writer.ts'
import { nameOf, statusOf } from './resource-status.ts'

export class HandlerController {
  readonly kinds: HandledKinds
  readonly #parts: HandlerParts
  readonly #api: Api
  readonly #children: ResourceChildren
  readonly #loop: ControlLoop
  readonly #keys = new ResourceKeys()
  readonly #owners: OwnerBridge
  readonly #processWriter: ResourceProcessWriter

  constructor(parts: HandlerParts, children: ResourceChildren) {
    this.#parts = parts
    this.#api = parts.api
    this.#children = children
    this.#loop = new ControlLoop({ ...parts, name: 'colony-handlers' })
    this.kinds = new HandledKinds(parts.api, parts.log, {
      kind: (kind) => this.#kindChanged(kind),
      object: (kind, name) => this.#loop.add(this.#keys.of(kind, name)),
      unhandled: (id) => this.#loop.add(id, 'low'),
    })
    this.#owners = new OwnerBridge(parts, this.kinds)
    this.#processWriter = new ResourceProcessWriter(parts)
  }

  /** Resolves when the signal has ended it. */
  async run(): Promise<void> {
    const { processes, signal } = this.#parts
    const stop = processes.onEnded((_, uid) => {
      const key = this.#keys.withUid(uid)
      if (key !== undefined) this.#loop.add(key)
    })
    this.kinds.open()
    await this.#loop.run((key) => this.#reconcile(key), signal)
    stop()
    this.kinds.close()
  }

  /** Owners and components of this kind may be resolvable now. */
  #kindChanged({ kind }: HandledKind): void {
    for (const key of this.#owners.waitingFor(kind)) this.#loop.add(key)
    for (const key of this.#keys.composites()) this.#loop.add(key)
  }

  async #reconcile(key: string): Promise<void> {
    const { id, name } = this.#keys.parts(key)
    if (name === undefined) return releaseUnhandled(this.#parts, id, () => this.kinds.get(id) === undefined)
    const kind = this.kinds.get(id)
    const object = kind && this.#api.get(kind.resource, name)
    if (kind === undefined || object === undefined) return this.#gone(key)
    this.#keys.seen(key, object, this.#parts.clock.now(), kind.handler.executorType === COMPOSITE)
    this.#queueParent(key, object)
    for (const owned of this.#owners.waitingFor(object.metadata.name ?? '')) this.#loop.add(owned)
    await this.#owners.bridge(key, kind, object)
    if (kind.handler.executorType === COMPOSITE) {
      await reconcileComposite({ ...this.#parts, kinds: this.kinds, children: this.#children }, kind, object)
      await this.#requestTaken(kind, object)
    } else await this.#keepProcess(key, kind, object)
  }

  #gone(key: string): void {
    this.#loop.forget(key)
    this.#owners.forget(key)
    const parent = this.#keys.forget(key)
    if (parent !== undefined) this.#loop.add(parent)
  }

  /** Queues the composite that the object is a component of, since its Ready depends on this one. */
  #queueParent(key: string, { metadata }: KubeObject): void {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller)
    const parent = owner && this.#keys.withUid(owner.uid)
    if (parent === undefined || !this.#keys.isComposite(parent)) return
    this.#keys.childOf(key, parent)
    this.#loop.add(parent)
  }

  async #keepProcess(key: string, kind: HandledKind, object: KubeObject): Promise<void> {
    const { clock, processes } = this.#parts
    const { uid = '', generation = 0, namespace = CLUSTER_NAMESPACE } = object.metadata
    const hold = new Hold(kind.handler)
    if (this.#isStranded(object, hold)) return this.#abandon(kind, object, hold)
    const { waiting, surplus, running } = processes.of(namespace, uid)
    for (const one of surplus) await this.#processWriter.drop(one)
    const now = clock.now()
    if (waiting || running) this.#keys.processSeen(key, now)
    const step = planProcess({
      facts: {
        uid,
        generation,
        observedGeneration: statusOf(object).observedGeneration,
        deleting: object.metadata.deletionTimestamp !== undefined,
        held: hold.holds(object),
        requested: object.metadata.annotations?.[RECONCILE_ANNOTATION] !== undefined,
      },
      intervalMs: (kind.handler.reconcileInterval ?? 0) * 1000,
      waiting: waiting && this.#processWriter.factsOfWaiting(waiting, kind, object),
      running: running && this.#processWriter.factsOfRunning(running),
      since: this.#keys.since(key) ?? now,
      now,
    })
    await this.#carryOut(key, kind, object, step, waiting?.name)
  }

  async #carryOut(key: string, kind: HandledKind, object: KubeObject, step: Action, waiting = ''): Promise<void> {
    if (step.do === 'nothing') {
      if (step.until !== undefined) this.#loop.addAt(key, step.until)
      return
    }
    if (step.do === 'hold') return this.#hold(kind, object)
    if (step.do === 'create') {
      this.#keys.processSeen(key, this.#parts.clock.now())
      await this.#create(kind, object, step.trigger)
    } else if (!(await this.#processWriter.refresh(kind, object, waiting, step))) {
      // An executor took the Process a moment ago: plan again from the new state.
      return this.#loop.add(key)
    }
    if (step.trigger === 'request') await this.#requestTaken(kind, object)
  }

  /** A quota, a policy or a webhook may refuse the Process: whoever looks at the resource has to hear of it. */
  async #create(kind: HandledKind, object: KubeObject, trigger: Trigger): Promise<void> {
    try {
      await this.#processWriter.create(kind, object, trigger)
    } catch (error) {
      if (isStatusError(error) && error.code < 500 && error.code !== 409) {
        const message = `its Process was refused: ${error.message}`
        this.#parts.events.record(object, { type: 'Warning', reason: 'ProcessRefused', message })
      }
      throw error
    }
  }

  /** Whether its namespace is being deleted: no Process can be created there any more. */
  #isStranded(object: KubeObject, hold: Hold): boolean {
    const { namespace, deletionTimestamp } = object.metadata
    if (namespace === undefined || deletionTimestamp === undefined || !hold.holds(object)) return false
    return this.#api.get(NAMESPACES, { name: namespace })?.metadata.deletionTimestamp !== undefined
  }

  /** Removes the finalizer without a cleanup, which would otherwise block the deletion of the namespace for ever. */
  async #abandon({ resource }: HandledKind, object: KubeObject, hold: Hold): Promise<void> {
    const { name, namespace } = object.metadata
    this.#parts.log.warn(
      { kind: object.kind, name, namespace },
      'a resource goes with its namespace, without a cleanup',
    )
    await this.#children.removeForeign(object)
    await letGo(this.#api, resource, object, hold)
  }

  async #hold({ resource, handler }: HandledKind, object: KubeObject): Promise<void> {
    const hold = new Hold(handler)
    await this.#api.change(resource, nameOf(object), ({ metadata }) => {
      const { uid, deletionTimestamp, finalizers = [] } = metadata
      if (uid !== object.metadata.uid || deletionTimestamp !== undefined) return
      if (!finalizers.includes(hold.finalizer)) metadata.finalizers = hold.putOn(finalizers)
    })
  }

  /** Removes the annotation that asked for a reconcile, unless it has a newer value. */
  async #requestTaken({ resource }: HandledKind, object: KubeObject): Promise<void> {
    const taken = object.metadata.annotations?.[RECONCILE_ANNOTATION]
    if (taken === undefined) return
    await this.#api.change(resource, nameOf(object), ({ metadata }) => {
      const { [RECONCILE_ANNOTATION]: asked, ...others } = metadata.annotations ?? {}
      if (metadata.uid === object.metadata.uid && asked === taken) metadata.annotations = others
    })
  }
}
