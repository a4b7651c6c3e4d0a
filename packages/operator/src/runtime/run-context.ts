// One reconcile of a key: gives the behaviour its view of the cluster and records what it read and reported. The
// controller creates and closes it; once closed it refuses every call, even if the behaviour goes on.

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, Client, ResourceInfo } from '@homeostat/client'
import type { EventSink, FightDetector } from './companions.ts'
import type { Dependencies } from './dependencies.ts'
import type { LiveCluster } from './live-cluster.ts'
import { type KindRef, kindKey } from './object-key.ts'
import type { Applied, Conditions, EventInput, Manifest, ObjectRef, ReconcileContext } from './reconcile-context.ts'
import type { FoughtOver } from './run-outcome.ts'
import { RunTarget, type Target } from './run-target.ts'
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

export class RunContext implements ReconcileContext {
  readonly signal: AbortSignal
  readonly log: Log
  readonly draft: StatusDraft
  readonly fights: FoughtOver[] = []
  readonly #options: RunContextOptions
  /** By `apiVersion/kind`. */
  readonly #kinds = new Map<string, Promise<ResourceInfo | undefined>>()
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

  /** Replaces the object after a write of the runtime itself. */
  renew(object: ApiObject): void {
    this.#object = object
  }

  end(): void {
    this.#ended = true
  }

  async read<O extends ApiObject = ApiObject>(ref: ObjectRef): Promise<O | undefined> {
    const target = await this.target<O>(ref)
    return target?.read()
  }

  async readAll<O extends ApiObject = ApiObject>(
    kind: KindRef,
    select: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } = {},
  ): Promise<O[]> {
    const { cluster, dependencies, key } = this.#options
    await this.kind(kind)
    await cluster.cacheOf(kind, this.signal)
    this.#check()
    dependencies.readList(key, kindKey(kind), select)
    const found = await cluster.readAll<O>(kind, select, this.signal)
    this.#check()
    return found
  }

  async apply<O extends ApiObject = ApiObject>(manifest: Manifest): Promise<Applied<O>> {
    const { apiVersion, kind, metadata } = manifest
    const target = await this.target<O>({ apiVersion, kind, name: metadata.name, namespace: metadata.namespace })
    // The kind is not served: the client's apply throws the error that says so.
    if (target === undefined) return this.#options.cluster.apply<O>(manifest, this.signal)
    return target.apply(manifest, await target.readForWrite())
  }

  async remove(ref: ObjectRef, { uid }: { readonly uid?: string } = {}): Promise<void> {
    const target = await this.target(ref)
    const live = await target?.read()
    if (live !== undefined && (uid === undefined || live.metadata.uid === uid)) await target?.remove(live)
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

  /**
   * Finds an object for reads and writes and tracks it: a later change queues the key. The cache is synced before,
   * since the initial list does not count as a change. Undefined when the kind is not served.
   */
  async target<O extends ApiObject = ApiObject>(ref: ObjectRef): Promise<Target<O> | undefined> {
    const { cluster, dependencies, key } = this.#options
    const info = await this.kind(ref)
    if (info === undefined) return undefined
    const placed = this.#placed(ref, info.namespaced)
    const informer = await cluster.completeCache(placed, this.signal)
    this.#check()
    dependencies.readObject(key, kindKey(placed), placed)
    const onFight = (fight: FoughtOver) => void this.fights.push(fight)
    const check = () => this.#check()
    return new RunTarget<O>(placed, { ...this.#options, object: this.#object, informer, check, onFight })
  }

  /**
   * The discovery of a kind, asked once per reconcile. Undefined when it is not served; the key is queued once it is.
   */
  async kind(kind: KindRef): Promise<ResourceInfo | undefined> {
    this.#check()
    const id = `${kind.apiVersion}/${kind.kind}`
    const asked = this.#kinds.get(id) ?? this.#options.cluster.client.discover(kind.apiVersion, kind.kind, this.signal)
    this.#kinds.set(id, asked)
    let info: ResourceInfo | undefined
    try {
      info = await asked
    } finally {
      // A kind that was not found is asked for again, since this reconcile may install its definition.
      if (info === undefined) this.#kinds.delete(id)
    }
    this.#check()
    if (info === undefined) this.#missKind(kind)
    return info
  }

  #missKind(kind: KindRef): void {
    const { cluster, dependencies, key } = this.#options
    dependencies.readMissingKind(key, kindKey(kind))
    // Opens the cache, whose informer notices when the kind appears.
    cluster.caches.main(kind)
  }

  /** A reference without a namespace means the namespace of the reconciled object, if the kind is namespaced. */
  #placed(ref: ObjectRef, namespaced: boolean): ObjectRef {
    if (!namespaced) return ref.namespace === undefined ? ref : { ...ref, namespace: undefined }
    const { namespace } = this.#object.metadata
    return ref.namespace !== undefined || namespace === undefined ? ref : { ...ref, namespace }
  }

  #check(): void {
    this.signal.throwIfAborted()
    if (this.#ended) throw new Error('this run has ended: what it does has to be awaited before it returns')
  }
}
