// One object that a reconcile reads and may write. Its kind, namespace and cache are already resolved, so that a read
// followed by a write looks it up once. RunContext creates it; both styles use it for children and handles.

import type { ApiObject, Informer } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { type FightDetector, WHOLE_OBJECT } from './companions.ts'
import { fightCondition } from './fight-condition.ts'
import type { LiveCluster } from './live-cluster.ts'
import { waiting } from './outcome.ts'
import { refuseForeignOwner } from './owner-scope.ts'
import type { Applied, Manifest, ObjectRef } from './reconcile-context.ts'
import type { FoughtOver } from './run-outcome.ts'

export interface Target<O extends ApiObject = ApiObject> {
  /** Has a namespace exactly when the kind is namespaced. */
  readonly ref: ObjectRef
  read(): Promise<O | undefined>
  /** Reads from the server when several workers write, since the cache may be stale. */
  readForWrite(): Promise<O | undefined>
  /** Returns a synchronous read of the object from the cache. */
  view(): Promise<() => O | undefined>
  /** Like `ReconcileContext.apply`. `live` is what `readForWrite` just returned. */
  apply(manifest: Manifest, live: O | undefined): Promise<Applied<O>>
  /** Deletes `live`. Returns false while finalizers hold it. */
  remove(live: O): Promise<boolean>
}

interface RunTargetOptions {
  /** Of the run. */
  readonly object: ApiObject
  readonly signal: AbortSignal
  readonly cluster: LiveCluster
  readonly informer: Informer<ApiObject>
  readonly fights?: FightDetector | undefined
  /** Throws when the reconcile has ended. */
  check(): void
  onFight(fight: FoughtOver): void
}

export class RunTarget<O extends ApiObject> implements Target<O> {
  readonly ref: ObjectRef
  readonly #options: RunTargetOptions

  constructor(ref: ObjectRef, options: RunTargetOptions) {
    this.ref = ref
    this.#options = options
  }

  async read(): Promise<O | undefined> {
    const { cluster, informer, signal, check } = this.#options
    const found = await cluster.readFrom<O>(informer, this.ref, signal)
    check()
    return found
  }

  async readForWrite(): Promise<O | undefined> {
    const { cluster, informer, signal, check } = this.#options
    const found = await cluster.readForWrite<O>(informer, this.ref, signal)
    check()
    return found
  }

  async view(): Promise<() => O | undefined> {
    const { cluster, informer } = this.#options
    if (!cluster.mayMiss(informer, this.ref)) return () => informer.get(this.ref) as O | undefined
    const found = await this.read()
    return () => found
  }

  async apply(manifest: Manifest, live: O | undefined): Promise<Applied<O>> {
    const { object, cluster, signal, fights, check, onFight } = this.#options
    const { ref } = this
    const { metadata } = manifest
    refuseForeignOwner(object, ref, metadata.ownerReferences as OwnerReference[] | undefined)
    if (live === undefined) this.#holdDeleted()
    const { namespace } = ref
    const placed = namespace === metadata.namespace ? manifest : { ...manifest, metadata: { ...metadata, namespace } }
    const applied = await cluster.applyOver<O>(live, placed, signal)
    check()
    const fight = fights?.over(ref)
    if (fight !== undefined) onFight({ ref, fight })
    return applied
  }

  remove(live: O): Promise<boolean> {
    const { cluster, signal } = this.#options
    return cluster.removeLive(this.ref, live, signal)
  }

  /** Backs off from creating an object that another program keeps deleting; the reconcile ends as waiting. */
  #holdDeleted(): void {
    const { fights, onFight } = this.#options
    const { ref } = this
    const fight = fights?.over(ref)
    if (fight === undefined || fight.field !== WHOLE_OBJECT || !fight.hold) return
    onFight({ ref, fight })
    const { reason, message } = fightCondition(ref, fight)
    throw waiting(reason, message, { retryAfter: { milliseconds: Math.ceil(fight.lookAgain) } })
  }
}
