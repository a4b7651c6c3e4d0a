// The Cluster of a process. Reads come from caches that include its own writes; an apply that would change nothing is
// skipped. Controllers and reconciles call it; it never decides what to write.

import { type Clock, type Log, messageOf } from '@homeostat/base'
import type { Informers, ObjectName, Sent } from '@homeostat/client'
import { type ApiObject, type Client, createInformers, type Informer, type InformerEvent } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { isAsWanted } from './apply-plan.ts'
import { CacheTroubles } from './cache-troubles.ts'
import { type CacheSelection, Caches } from './caches.ts'
import type { Cluster } from './cluster.ts'
import type { FightDetector, Observer, WriteResult } from './companions.ts'
import { hasLabels } from './dependencies.ts'
import type { NamespaceScope } from './namespace-scope.ts'
import { type KindRef, refOf, shownRef } from './object-key.ts'
import { type OwnedPart, OwnedParts } from './owned-parts.ts'
import type { Applied, Manifest, ObjectRef } from './reconcile-context.ts'
import { sentForm } from './sent-form.ts'
import { SentManifests } from './sent-manifests.ts'

/** More namespaces than this are worth a warning. */
const MANY_NAMESPACES = 100

interface LiveClusterOptions {
  readonly client: Client
  readonly fieldManager: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly scope: NamespaceScope
  readonly narrowed?: Readonly<Record<string, CacheSelection>> | undefined
  readonly pulls: boolean
  readonly fights?: FightDetector | undefined
  readonly observer?: Observer | undefined
  onChange(kind: string, change: InformerEvent<ApiObject>): void
  onSynced(kind: string): void
  queue(ref: ObjectRef, trigger: string): void
}

export class LiveCluster implements Cluster {
  readonly client: Client
  readonly fieldManager: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly pulls: boolean
  readonly caches: Caches
  readonly parts: OwnedParts
  readonly sent = new SentManifests()
  readonly #options: LiveClusterOptions
  readonly #informers: Informers
  readonly #shared = new Map<unknown, unknown>()

  constructor(options: LiveClusterOptions) {
    this.client = options.client
    this.fieldManager = options.fieldManager
    this.clock = options.clock
    this.random = options.random
    this.log = options.log
    this.pulls = options.pulls
    this.#options = options
    this.parts = new OwnedParts(options.fieldManager)
    const troubles = new CacheTroubles(options.log, options.client.transport.server)
    this.#informers = createInformers(options.client, {
      keep: (object) => this.#keep(object),
      clock: options.clock,
      random: options.random,
      onTrouble: (error, informer) => {
        troubles.troubled(error, informer)
        this.caches.troubled(informer, informer.selection.namespace, error)
      },
      onRecovered: (informer) => troubles.recovered(informer),
    })
    this.caches = new Caches({
      ...options,
      informers: this.#informers,
      onTrouble: (error, kind) => troubles.troubled(error, kind),
      onChange: (kind, change) => {
        if (change.type === 'deleted') this.#gone(change.object)
        options.onChange(kind, change)
      },
    })
  }

  informer<T extends ApiObject>(apiVersion: string, kind: string): Informer<T> {
    return this.caches.main({ apiVersion, kind }) as unknown as Informer<T>
  }

  peek<T extends ApiObject>(ref: ObjectRef): T | undefined {
    return this.caches.main(ref).get(ref) as T | undefined
  }

  async read<T extends ApiObject>(ref: ObjectRef, signal?: AbortSignal): Promise<T | undefined> {
    const informer = await this.cacheOf(ref, signal)
    return informer && this.readFrom<T>(informer, ref, signal)
  }

  /** Reads from a synced cache, or from the server when the cache cannot hold the object. */
  async readFrom<T extends ApiObject>(
    informer: Informer<ApiObject>,
    ref: ObjectRef,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const known = informer.get(ref)
    if (known !== undefined || !this.mayMiss(informer, ref)) return known as T | undefined
    const found = await this.client.resourceOf<T>(ref.apiVersion, ref.kind).find(ref, { signal })
    return found && this.#hold(informer, found)
  }

  /**
   * What was read from the server while the cache is being filled goes into it: whatever is deleted before the cache is complete
   * would otherwise go without an event, and nobody would reconcile again.
   */
  #hold<T extends ApiObject>(informer: Informer<ApiObject>, found: T): T {
    if (this.caches.isFilling(informer, found.metadata.namespace)) return this.take(found)
    return this.parts.keep(found) as T
  }

  /**
   * Whether an object may exist although it is not in its cache: the selection excludes it, or another worker just
   * created it.
   */
  mayMiss(informer: Informer<ApiObject>, ref: ObjectRef): boolean {
    return this.pulls || this.caches.mayMiss(informer, ref)
  }

  /** Reads from the server when the operator pulls: another worker may just have written the object. */
  async readForWrite<T extends ApiObject>(
    informer: Informer<ApiObject>,
    ref: ObjectRef,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (!this.pulls) return this.readFrom<T>(informer, ref, signal)
    const found = await this.client.resourceOf<T>(ref.apiVersion, ref.kind).find(ref, { signal })
    return found && this.take(found)
  }

  async readAll<T extends ApiObject>(
    kind: KindRef,
    select: { readonly namespace?: string | undefined; readonly labels?: Readonly<Record<string, string>> | undefined },
    signal?: AbortSignal,
  ): Promise<T[]> {
    const informer = await this.cacheOf(kind, signal)
    if (informer === undefined) return []
    const { namespace, labels = {} } = select
    if (!this.caches.mayMissSome(informer, namespace, labels)) {
      return informer.list(namespace).filter((object) => hasLabels(object.metadata.labels, labels)) as T[]
    }
    const places = namespace === undefined ? await this.#placesOf(kind, signal) : [namespace]
    const lists = await Promise.all(places.map((place) => this.#list<T>(kind, { ...select, namespace: place }, signal)))
    return lists.flat()
  }

  /** Where the operator looks for objects of a kind: its namespaces, or all of the server. */
  async #placesOf(kind: KindRef, signal?: AbortSignal): Promise<readonly (string | undefined)[]> {
    const { names } = this.#options.scope
    if (names === undefined) return [undefined]
    const info = await this.client.discover(kind.apiVersion, kind.kind, signal)
    return info?.namespaced === true ? names : [undefined]
  }

  async #list<T extends ApiObject>(
    kind: KindRef,
    {
      namespace,
      labels = {},
    }: { namespace: string | undefined; labels?: Readonly<Record<string, string>> | undefined },
    signal?: AbortSignal,
  ): Promise<T[]> {
    const labelSelector = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
    const { items } = await this.client.resourceOf<T>(kind.apiVersion, kind.kind).list({
      namespace,
      signal,
      ...(labelSelector.length > 0 && { labelSelector: labelSelector.join(',') }),
    })
    const informer = this.caches.main(kind)
    return items.map((item) => this.#hold(informer, item))
  }

  /** Begins to follow the namespaces that the operator serves. */
  async open(signal: AbortSignal): Promise<void> {
    const { scope, log } = this.#options
    await scope.follow(this.#informers, signal)
    const namespaces = scope.names?.length ?? 0
    if (namespaces > MANY_NAMESPACES) {
      log.warn(
        { namespaces },
        'each namespace has a watch of its own for each kind; serving all namespaces may cost less',
      )
    }
  }

  /** The synced informer of a kind; undefined when the server does not serve the kind. */
  async cacheOf(kind: KindRef, signal?: AbortSignal): Promise<Informer<ApiObject> | undefined> {
    const informer = this.caches.main(kind)
    if (informer.synced) return informer
    if ((await this.client.discover(kind.apiVersion, kind.kind, signal)) === undefined) return undefined
    return this.completeCache(kind, signal)
  }

  /** The synced informer of a kind that is served. */
  async completeCache(kind: KindRef, signal?: AbortSignal): Promise<Informer<ApiObject>> {
    const informer = this.caches.main(kind)
    if (informer.synced) return informer
    try {
      await this.caches.whenSynced(informer, signal)
    } catch (error) {
      const why = informer.trouble?.message ?? messageOf(error)
      throw new Error(`the cache of ${kind.apiVersion} ${kind.kind} is not ready: ${why}`, { cause: error })
    }
    return informer
  }

  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.caches.all.map((informer) => informer.whenSynced(signal)))
  }

  async apply<T extends ApiObject>(manifest: Manifest, signal?: AbortSignal): Promise<Applied<T>> {
    const ref = refOfManifest(manifest)
    const informer = await this.cacheOf(ref, signal)
    return this.applyOver(informer && (await this.readForWrite<T>(informer, ref, signal)), manifest, signal)
  }

  /** Applies the manifest unless the current object `live` already matches it. */
  async applyOver<T extends ApiObject>(
    live: T | undefined,
    manifest: Manifest,
    signal?: AbortSignal,
  ): Promise<Applied<T>> {
    const ref = refOfManifest(manifest)
    if (live !== undefined && this.#isDone(manifest, ref, live)) {
      this.#observeWrite(ref, 'skipped')
      return { object: live, changed: false }
    }
    const answer = await this.#send<T>(ref, () =>
      this.client.resourceOf<T>(ref.apiVersion, ref.kind).apply(sentForm(manifest) as unknown as Sent<T>, {
        fieldManager: this.fieldManager,
        force: true,
        signal,
      }),
    )
    const object = this.take(answer)
    if (this.mayExist(answer)) this.sent.record(idOf(answer), manifest, this.owned(object))
    const changed = live?.metadata.resourceVersion !== answer.metadata.resourceVersion
    return { object, changed }
  }

  async remove(ref: ObjectRef, options: { readonly uid?: string; readonly signal?: AbortSignal } = {}): Promise<void> {
    const { uid, signal } = options
    const live = await this.read(ref, signal)
    if (live !== undefined && (uid === undefined || live.metadata.uid === uid)) await this.removeLive(ref, live, signal)
  }

  /** Deletes the object with this uid. Returns whether it is gone: finalizers may hold it for a while. */
  async removeLive(ref: ObjectRef, live: ApiObject, signal?: AbortSignal): Promise<boolean> {
    const access = this.client.resourceOf<ApiObject>(ref.apiVersion, ref.kind)
    const { uid, resourceVersion = '' } = live.metadata
    if (uid !== undefined) this.#options.fights?.removes?.(uid)
    try {
      await this.#send(ref, () => access.delete(ref, { signal, ...(uid !== undefined && { preconditions: { uid } }) }))
    } catch (error) {
      // On a conflict the object of this uid is gone and another has its name.
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
    const left = await access.find(ref, { signal })
    if (left === undefined) this.caches.removed(ref, resourceVersion)
    else this.caches.wrote(left)
    return left === undefined
  }

  wrote(object: ApiObject): void {
    this.caches.wrote(object)
  }

  /** Puts a response into the cache and returns the cached object. */
  take<T extends ApiObject>(answer: T): T {
    this.caches.wrote(answer)
    const cached = this.caches.find(refOf(answer))
    if (cached?.metadata.uid === answer.metadata.uid) return cached as T
    return this.parts.keep(answer) as T
  }

  /**
   * Whether an object that was just written still exists, as far as caches know. If not, nothing is recorded for it.
   */
  mayExist(answer: ApiObject): boolean {
    const ref = refOf(answer)
    return (
      this.caches.find(ref)?.metadata.uid === answer.metadata.uid || this.caches.mayMiss(this.caches.main(ref), ref)
    )
  }

  /** Prepares an arrived object for the cache, after the fight detector saw it. */
  #keep(object: ApiObject): ApiObject {
    const { fights } = this.#options
    if (fights !== undefined) {
      const before = this.caches.find(refOf(object))
      const owned = before && this.parts.main(before)
      if (owned !== undefined) fights.arrived(object, owned)
    }
    return this.parts.keep(object)
  }

  #gone(object: ApiObject): void {
    const { scope, fights } = this.#options
    this.forget(object.metadata.uid)
    // An object of a namespace that is no longer served still exists: nobody fights over it.
    if (scope.serves(object.metadata.namespace) && this.owned(object) !== undefined) fights?.deleted?.(object)
  }

  /** Drops what is recorded of a deleted object. */
  forget(uid = ''): void {
    this.sent.forget(uid)
    this.sent.forget(`${uid}/status`)
  }

  owned(object: ApiObject): OwnedPart | undefined {
    return this.parts.main(object)
  }

  shared<S>(type: new (cluster: Cluster) => S): S {
    if (!this.#shared.has(type)) this.#shared.set(type, new type(this))
    return this.#shared.get(type) as S
  }

  queue(ref: ObjectRef, trigger: string): void {
    this.#options.queue(ref, trigger)
  }

  close(): void {
    this.caches.close()
    this.#informers.close()
  }

  #isDone(manifest: Manifest, ref: ObjectRef, live: ApiObject): boolean {
    const owned = this.owned(live)
    const absent = this.parts.absent(live)
    if (isAsWanted(manifest, owned, absent) || this.sent.holds(idOf(live), manifest, owned)) return true
    return this.#options.fights?.over(ref)?.hold === true && this.sent.isLast(idOf(live), manifest)
  }

  async #send<R>(ref: ObjectRef, send: () => Promise<R>): Promise<R> {
    try {
      const answer = await send()
      this.#observeWrite(ref, 'sent')
      return answer
    } catch (error) {
      this.#observeWrite(ref, 'failed')
      throw error
    }
  }

  #observeWrite({ kind }: ObjectRef, result: WriteResult): void {
    this.#options.observer?.wrote?.(kind, result)
  }
}

function idOf({ metadata }: ApiObject): string {
  return metadata.uid ?? ''
}

function refOfManifest({ apiVersion, kind, metadata }: Manifest): ObjectRef & ObjectName {
  const { name, namespace } = metadata
  const ref = namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, name, namespace }
  if (!name) throw new Error(`${shownRef(ref)} has no name: an apply needs metadata.name`)
  return ref
}
