// A handle on one object, whether it is there or not. It holds no state of the object: every look is at the cluster's
// cache, which has this operator's own writes in it. Within a run each look is tracked. Made by ResourceService alone.

import type { Log } from '@homeostat/base'
import type { ApiObject, LooseObject } from '@homeostat/client'
import { deepEqual, type OwnerReference } from '@homeostat/meta'
import { isAsWanted, wantedOf } from '../runtime/apply-plan.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { shownRef } from '../runtime/object-key.ts'
import type { OwnedPart } from '../runtime/owned-parts.ts'
import type { Applied, Manifest, ObjectRef } from '../runtime/run.ts'
import type { RunContext } from '../runtime/run-context.ts'
import type { Target } from '../runtime/run-target.ts'
import { manifestFor } from './manifest.ts'
import type { ResourceChanges } from './resource-changes.ts'
import { type ResourceEvent, resourceEvents } from './resource-events.ts'
import type { Body, Part } from './resource-types.ts'
import { currentScope } from './scope.ts'

export interface Patched {
  /** False when the object was so already. */
  readonly changed: boolean
}

/** What was applied last, and what our manager owned when that was done. */
interface LastApply {
  readonly manifest: Manifest
  readonly owned: unknown
}

export class Resource<T extends ApiObject = LooseObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
  readonly #cluster: Cluster
  readonly #changes: ResourceChanges
  #lastApply: LastApply | undefined

  constructor(ref: ObjectRef, cluster: Cluster, changes: ResourceChanges) {
    this.apiVersion = ref.apiVersion
    this.kind = ref.kind
    this.name = ref.name
    this.namespace = ref.namespace
    this.#cluster = cluster
    this.#changes = changes
  }

  /** The whole object as the server has it, defaults and all. Shared: not to be changed. */
  get live(): T | undefined {
    currentScope()?.saw(this)
    return this.#cluster.peek<T>(this)
  }

  get exists(): boolean {
    return this.live !== undefined
  }

  /**
   * The spec as it was applied by this operator, without what the server or others added: comparing it with what is
   * wanted settles. The whole spec when this operator applies none. `live.spec` has everything.
   */
  get spec(): Part<T, 'spec'> | undefined {
    return this.#applied('spec')
  }

  /** As `spec`, for kinds that have data instead. */
  get data(): Part<T, 'data'> | undefined {
    return this.#applied('data')
  }

  get status(): Part<T, 'status'> | undefined {
    return part(this.live, 'status') as Part<T, 'status'> | undefined
  }

  get metadata(): T['metadata'] | undefined {
    return this.live?.metadata
  }

  /** To own other objects by. Throws when the object is not there. */
  get ref(): OwnerReference {
    const { uid } = this.metadata ?? {}
    if (!uid) throw new Error(`${shownRef(this)} is not there, so nothing can refer to it: look at \`exists\` first`)
    return { apiVersion: this.apiVersion, kind: this.kind, name: this.name, uid }
  }

  /**
   * Creates the object or makes it so: server-side apply under the operator's manager. What was applied before and is
   * left out now goes. Nothing is sent when it is so already.
   */
  async patch(manifest: Body<T>): Promise<Patched> {
    const whole = manifestFor(this, manifest)
    const scope = currentScope()
    await this.#checkPlace(scope?.run)
    const target = await scope?.run?.target<T>(this)
    const seen = this.#cluster.peek<T>(this)
    const wasSeen = seen !== undefined && deepEqual(this.#view(seen), wantedOf(whole))
    const { changed, object } = await (target ? this.#applyTo(target, whole, seen) : this.#cluster.apply(whole))
    this.#lastApply = { manifest: whole, owned: this.#cluster.owned(object) }
    if (!changed && !wasSeen) scope?.misread()
    return { changed }
  }

  /** The same as `patch`. */
  ensure(manifest: Body<T>): Promise<Patched> {
    return this.patch(manifest)
  }

  /** Whether the object is there and is as the manifest says, in all that this operator applied to it. */
  matches(manifest: Body<T>): boolean {
    const object = this.live
    if (!object) return false
    const whole = manifestFor(this, manifest)
    return isAsWanted(whole, this.#view(object))
  }

  /** Deletes this very object; one that was made again under the name meanwhile stays. Nothing happens when it is not there. */
  async delete(): Promise<void> {
    const uid = this.metadata?.uid
    if (uid === undefined) return
    const run = currentScope()?.run
    if (run) await run.remove(this, { uid })
    else await this.#cluster.remove(this, { uid })
  }

  /** Waits until the cache of the kind is filled, and answers the object. */
  load(): Promise<T | undefined> {
    return currentScope()?.run?.read<T>(this) ?? this.#cluster.read<T>(this)
  }

  /** Tells of each change with the names of what it changed. The answer ends that. */
  watch(observer: (events: readonly ResourceEvent[]) => void): () => void {
    return this.#changes.listen(this, (change) => observer(resourceEvents(change)))
  }

  get log(): Log {
    return this.#cluster.log
  }

  /** A handle that names a place where the object cannot be would never see it. */
  async #checkPlace(run: RunContext | undefined): Promise<void> {
    const info = await (run?.kind(this) ?? this.#cluster.client.discover(this.apiVersion, this.kind))
    if (!info || info.namespaced === (this.namespace !== undefined)) return
    throw new Error(
      info.namespaced
        ? `${shownRef(this)}: objects of this kind are in namespaces; get a handle with one`
        : `${shownRef(this)}: objects of this kind are in no namespace; get a handle without one`,
    )
  }

  /** What was applied, as it was sent if this handle did so and what is ours has not changed since. */
  #view(object: T): OwnedPart | undefined {
    const owned = this.#cluster.owned(object)
    const last = this.#lastApply
    return last && deepEqual(last.owned, owned) ? wantedOf(last.manifest) : owned
  }

  /** What the cache showed is what is compared, unless it may be behind, or cannot have the object. */
  async #applyTo(target: Target<T>, manifest: Manifest, seen: T | undefined): Promise<Applied<T>> {
    const isCurrent = seen !== undefined && !this.#cluster.pulls
    return target.apply(manifest, isCurrent ? seen : await target.readForWrite())
  }

  #applied<F extends 'spec' | 'data'>(field: F): Part<T, F> | undefined {
    const object = this.live
    const owned = object && this.#cluster.owned(object)
    const own = part(owned, field)
    if (own === undefined) return part(object, field) as Part<T, F> | undefined
    // A server may write a value in another way, "1" for "1000m": what was sent for it is what it still is.
    const unchanged = this.#lastApply !== undefined && deepEqual(this.#lastApply.owned, owned)
    return (unchanged ? part(this.#lastApply?.manifest, field) : own) as Part<T, F>
  }
}

function part(object: object | undefined, field: 'spec' | 'data' | 'status'): unknown {
  return (object as { readonly [name: string]: unknown } | undefined)?.[field]
}
