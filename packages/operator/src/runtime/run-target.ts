// One object that a run reads and may write. The run has found its kind, its namespace and its cache already, so that a
// read followed by a write looks at the object once. RunContext makes it; the styles use it for children and handles.

import type { ApiObject, Informer } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { type FightDetector, WHOLE_OBJECT } from './companions.ts'
import { fightCondition } from './fight-condition.ts'
import type { LiveCluster } from './live-cluster.ts'
import { waiting } from './outcome.ts'
import { refuseForeignOwner } from './owner-scope.ts'
import type { Applied, Manifest, ObjectRef } from './run.ts'
import type { FoughtOver } from './run-outcome.ts'

export interface Target<O extends ApiObject = ApiObject> {
  /** Has a namespace exactly when objects of its kind have one. */
  readonly ref: ObjectRef
  read(): Promise<O | undefined>
  /** Where several workers write, the cache of one may be behind: the server is asked then. */
  readForWrite(): Promise<O | undefined>
  /** A look at the object without waiting, for code that cannot wait. */
  view(): Promise<() => O | undefined>
  /** As `Run.apply`. `live` is what `readForWrite` answered just before. */
  apply(manifest: Manifest, live: O | undefined): Promise<Applied<O>>
  /** Deletes `live`. Answers false while finalizers hold it. */
  remove(live: O): Promise<boolean>
}

interface RunTargetOptions {
  /** Of the run. */
  readonly object: ApiObject
  readonly signal: AbortSignal
  readonly cluster: LiveCluster
  readonly informer: Informer<ApiObject>
  readonly fights?: FightDetector | undefined
  /** Throws when the run has ended. */
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

  /** An object that somebody deletes as often as it is made is made less and less often; the run says that it waits. */
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
