// A handle on one object, which may not exist. It holds no copy: every read goes to the cluster's cache, which includes
// this operator's own writes. Reads within a reconcile are tracked. Only ResourceService creates it.

import { hasBrand, type Log } from '@homeostat/base'
import type { ApiObject, LooseObject } from '@homeostat/client'
import { deepEqual, type OwnerReference } from '@homeostat/meta'
import { isAsWanted, wantedOf } from '../runtime/apply-plan.ts'
import type { Cluster } from '../runtime/cluster.ts'
import { shownRef } from '../runtime/object-key.ts'
import type { OwnedPart } from '../runtime/owned-parts.ts'
import type { Applied, Manifest, ObjectRef } from '../runtime/reconcile-context.ts'
import type { RunContext } from '../runtime/run-context.ts'
import type { Target } from '../runtime/run-target.ts'
import { manifestFor } from './manifest.ts'
import type { ResourceChanges } from './resource-changes.ts'
import { type ResourceEvent, resourceEvents } from './resource-events.ts'
import type { Body, Part } from './resource-types.ts'
import { currentScope } from './scope.ts'

export interface Patched {
  /** False when the object already matched. */
  readonly changed: boolean
}

/** The last manifest applied, and what our manager owned afterwards. */
interface LastApply {
  readonly manifest: Manifest
  readonly owned: unknown
}

const BRAND = Symbol.for('homeostat.operator.resource')

export class Resource<T extends ApiObject = LooseObject> {
  readonly [BRAND] = true
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

  /** The whole stored object, including defaults. Shared with the cache: do not mutate. */
  get live(): T | undefined {
    currentScope()?.saw(this)
    return this.#cluster.peek<T>(this)
  }

  get exists(): boolean {
    return this.live !== undefined
  }

  /**
   * The spec as this operator applied it, without what the server or others added, so that a comparison with the wanted
   * spec becomes equal. The whole spec when this operator applies none. `live.spec` is the stored one.
   */
  get spec(): Part<T, 'spec'> | undefined {
    return this.#applied('spec')
  }

  /** Like `spec`, for kinds that have data instead. */
  get data(): Part<T, 'data'> | undefined {
    return this.#applied('data')
  }

  get status(): Part<T, 'status'> | undefined {
    return part(this.live, 'status') as Part<T, 'status'> | undefined
  }

  get metadata(): T['metadata'] | undefined {
    return this.live?.metadata
  }

  /** Owner reference to this object. Throws when it does not exist. */
  get ref(): OwnerReference {
    const { uid } = this.metadata ?? {}
    if (!uid) throw new Error(`${shownRef(this)} is not there, so nothing can refer to it: look at \`exists\` first`)
    return { apiVersion: this.apiVersion, kind: this.kind, name: this.name, uid }
  }

  /**
   * Creates or updates the object by server-side apply under the operator's manager. Fields that were applied before
   * and are left out now are removed. Skipped when nothing would change.
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

  /** Alias of `patch`. */
  ensure(manifest: Body<T>): Promise<Patched> {
    return this.patch(manifest)
  }

  /** Whether the object exists and what this operator applied to it equals the manifest. */
  matches(manifest: Body<T>): boolean {
    const object = this.live
    if (!object) return false
    const whole = manifestFor(this, manifest)
    return isAsWanted(whole, this.#view(object))
  }

  /**
   * Deletes the object with this uid; one created again under the same name stays. No effect when it does not exist.
   */
  async delete(): Promise<void> {
    const uid = this.metadata?.uid
    if (uid === undefined) return
    const run = currentScope()?.run
    if (run) await run.remove(this, { uid })
    else await this.#cluster.remove(this, { uid })
  }

  /** Waits until the cache of the kind is synced, and returns the object. */
  load(): Promise<T | undefined> {
    return currentScope()?.run?.read<T>(this) ?? this.#cluster.read<T>(this)
  }

  /** Calls the observer for each change with its events. The returned function stops it. */
  watch(observer: (events: readonly ResourceEvent[]) => void): () => void {
    return this.#changes.listen(this, (change) => observer(resourceEvents(change)))
  }

  get log(): Log {
    return this.#cluster.log
  }

  /** Refuses a handle whose namespace does not fit the scope of its kind: it would never see the object. */
  async #checkPlace(run: RunContext | undefined): Promise<void> {
    const info = await (run?.kind(this) ?? this.#cluster.client.discover(this.apiVersion, this.kind))
    if (!info || info.namespaced === (this.namespace !== undefined)) return
    throw new Error(
      info.namespaced
        ? `${shownRef(this)}: objects of this kind are in namespaces; get a handle with one`
        : `${shownRef(this)}: objects of this kind are in no namespace; get a handle without one`,
    )
  }

  /** What our manager owns; in the form that was sent, if this handle applied it last and it did not change since. */
  #view(object: T): OwnedPart | undefined {
    const owned = this.#cluster.owned(object)
    const last = this.#lastApply
    return last && deepEqual(last.owned, owned) ? wantedOf(last.manifest) : owned
  }

  /** Compares with the cached object, or reads from the server when the cache may be stale or lacks the object. */
  async #applyTo(target: Target<T>, manifest: Manifest, seen: T | undefined): Promise<Applied<T>> {
    const isCurrent = seen !== undefined && !this.#cluster.pulls
    return target.apply(manifest, isCurrent ? seen : await target.readForWrite())
  }

  #applied<F extends 'spec' | 'data'>(field: F): Part<T, F> | undefined {
    const object = this.live
    const owned = object && this.#cluster.owned(object)
    const own = part(owned, field)
    if (own === undefined) return part(object, field) as Part<T, F> | undefined
    // The server may spell a value differently ("1" for "1000m"): return what was sent, while it is unchanged.
    const unchanged = this.#lastApply !== undefined && deepEqual(this.#lastApply.owned, owned)
    return (unchanged ? part(this.#lastApply?.manifest, field) : own) as Part<T, F>
  }
}

/** By a brand, not by its class: a library that an author uses may bring its own copy of this package. */
export function isResource(value: unknown): value is Resource {
  return hasBrand(value, BRAND)
}

function part(object: object | undefined, field: 'spec' | 'data' | 'status'): unknown {
  return (object as { readonly [name: string]: unknown } | undefined)?.[field]
}
