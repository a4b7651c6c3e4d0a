// One run of a key: gives a behaviour its view of the world and notes what it read and said. The controller makes one
// per run and ends it; afterwards nothing goes through it any more, however long the behaviour goes on.

import type { Clock } from '@homeostat/base'
import type { ApiObject, Client } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { fightCondition } from '../fights/fight-watch.ts'
import { type EventSink, type FightDetector, WHOLE_OBJECT } from './companions.ts'
import type { Dependencies } from './dependencies.ts'
import type { LiveCluster } from './live-cluster.ts'
import { type KindRef, kindKey } from './object-key.ts'
import { waiting } from './outcome.ts'
import { refuseForeignOwner } from './owner-scope.ts'
import type { Applied, Conditions, EventInput, Log, Manifest, ObjectRef, Run } from './run.ts'
import type { FoughtOver } from './run-end.ts'
import type { StatusDraft } from './status-draft.ts'

interface RunContextOptions {
  readonly key: string
  readonly object: ApiObject
  readonly signal: AbortSignal
  readonly log: Log
  readonly draft: StatusDraft
  readonly cluster: LiveCluster
  readonly dependencies: Dependencies
  readonly events?: EventSink | undefined
  readonly fights?: FightDetector | undefined
}

export class RunContext implements Run {
  readonly signal: AbortSignal
  readonly log: Log
  readonly draft: StatusDraft
  readonly fights: FoughtOver[] = []
  readonly #options: RunContextOptions
  #object: ApiObject
  #ended = false

  constructor(options: RunContextOptions) {
    this.#options = options
    this.#object = options.object
    this.signal = options.signal
    this.log = options.log
    this.draft = options.draft
  }

  get object(): ApiObject {
    return this.#object
  }

  get clock(): Clock {
    return this.#options.cluster.clock
  }

  get random(): () => number {
    return this.#options.cluster.random
  }

  get fieldManager(): string {
    return this.#options.cluster.fieldManager
  }

  get client(): Client {
    return this.#options.cluster.client
  }

  get conditions(): Conditions {
    return this.draft
  }

  /** The same object after a write of the runtime's own. */
  renew(object: ApiObject): void {
    this.#object = object
  }

  end(): void {
    this.#ended = true
  }

  async read<O extends ApiObject = ApiObject>(ref: ObjectRef): Promise<O | undefined> {
    const target = await this.#tracked(ref)
    const found = await this.#options.cluster.read<O>(target, this.signal)
    this.#check()
    return found
  }

  async readAll<O extends ApiObject = ApiObject>(
    kind: KindRef,
    select: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } = {},
  ): Promise<O[]> {
    const { cluster, dependencies, key } = this.#options
    await this.#namespaced(kind)
    await cluster.cacheOf(kind, this.signal)
    this.#check()
    dependencies.readList(key, kindKey(kind), select)
    const found = await cluster.readAll<O>(kind, select, this.signal)
    this.#check()
    return found
  }

  async apply<O extends ApiObject = ApiObject>(manifest: Manifest): Promise<Applied<O>> {
    const { cluster, fights } = this.#options
    const { apiVersion, kind, metadata } = manifest
    const target = await this.#tracked({ apiVersion, kind, name: metadata.name, namespace: metadata.namespace })
    const { namespace } = target
    refuseForeignOwner(this.#object, target, metadata.ownerReferences as OwnerReference[] | undefined)
    await this.#holdDeleted(target)
    const placed = namespace === metadata.namespace ? manifest : { ...manifest, metadata: { ...metadata, namespace } }
    const applied = await cluster.apply<O>(placed, this.signal)
    this.#check()
    const fight = fights?.over(target)
    if (fight !== undefined) this.fights.push({ ref: target, fight })
    return applied
  }

  /** What somebody deletes as often as it is made is made ever more seldom, and the run says that it waits. */
  async #holdDeleted(target: ObjectRef): Promise<void> {
    const { cluster, fights } = this.#options
    const fight = fights?.over(target)
    if (fight === undefined || fight.field !== WHOLE_OBJECT || !fight.hold) return
    if ((await cluster.read(target, this.signal)) !== undefined) return
    this.fights.push({ ref: target, fight })
    const { reason, message } = fightCondition(target, fight)
    throw waiting(reason, message, { retryAfter: { milliseconds: Math.ceil(fight.lookAgain) } })
  }

  async remove(ref: ObjectRef, options: { readonly uid?: string } = {}): Promise<void> {
    const target = await this.#tracked(ref)
    await this.#options.cluster.remove(target, { ...options, signal: this.signal })
  }

  patchStatus(fields: Readonly<Record<string, unknown>>): void {
    this.draft.patch(fields)
  }

  setStatus(fields: Readonly<Record<string, unknown>>): void {
    this.draft.replace(fields)
  }

  event(event: EventInput): void {
    this.#options.events?.record(this.#object, event)
  }

  /** From here on a change of the object brings a run. Its cache is complete by then: what fills it is no change. */
  async #tracked(ref: ObjectRef): Promise<ObjectRef> {
    const { cluster, dependencies, key } = this.#options
    const target = await this.#placed(ref)
    await cluster.cacheOf(target, this.signal)
    this.#check()
    dependencies.readObject(key, kindKey(target), target)
    return target
  }

  /** Objects without a namespace are beside the run's own, if their kind has namespaces. */
  async #placed(ref: ObjectRef): Promise<ObjectRef> {
    const namespaced = await this.#namespaced(ref)
    if (namespaced === false && ref.namespace !== undefined) return { ...ref, namespace: undefined }
    if (namespaced === false || ref.namespace !== undefined) return ref
    const { namespace } = this.#object.metadata
    return namespace === undefined ? ref : { ...ref, namespace }
  }

  /** Undefined when the kind is not served; the key runs again when it is. */
  async #namespaced(kind: KindRef): Promise<boolean | undefined> {
    this.#check()
    const { cluster, dependencies, key } = this.#options
    const info = await cluster.client.discover(kind.apiVersion, kind.kind, this.signal)
    this.#check()
    if (info === undefined) {
      dependencies.readMissingKind(key, kindKey(kind))
      // The cache finds out when the kind appears.
      cluster.caches.main(kind)
    }
    return info?.namespaced
  }

  #check(): void {
    this.signal.throwIfAborted()
    if (this.#ended) throw new Error('this run has ended: what it does has to be awaited before it returns')
  }
}
