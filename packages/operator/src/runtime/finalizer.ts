// The finalizer of an operator: added before the first reconcile of an object that needs cleanup, removed after the
// cleanup succeeded, along with those of earlier versions. Writes carry the resourceVersion, so that no other finalizer
// is lost.

import type { ApiObject } from '@homeostat/client'
import { HANDLER_FINALIZER } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import type { Controlled } from './controlled.ts'
import { definedFinalizer, formerFinalizers, namedFinalizer, type OperatorNames } from './finalizer-name.ts'
import type { LiveCluster } from './live-cluster.ts'
import { nameOf, refOf } from './object-key.ts'
import type { OwnedParts } from './owned-parts.ts'

const TRIES = 5

export interface FinalizerOptions {
  readonly cluster: LiveCluster
  readonly parts: OwnedParts
  readonly names: OperatorNames
  readonly controlled: Controlled
  /** A colony assigns the objects: it adds and removes the finalizer, and the cleanup runs in between. */
  readonly isPulled: boolean
}

export class Finalizer {
  readonly name: string
  readonly #options: FinalizerOptions
  readonly #isDefined: boolean
  /** Finalizers that the operator removes itself. When it pulls, these include those it added while it watched. */
  readonly #own: readonly string[]
  /** Finalizers that the colony removes. */
  readonly #colony: readonly string[]

  constructor(options: FinalizerOptions) {
    const { controlled, names, isPulled } = options
    const { apiVersion, definition } = controlled
    this.#options = options
    this.#isDefined = definition !== undefined
    this.name = this.#isDefined ? definedFinalizer(apiVersion) : namedFinalizer(apiVersion, names.fieldManager)
    this.#own = isPulled && this.#isDefined ? [] : [this.name]
    this.#colony = isPulled ? [HANDLER_FINALIZER, ...(this.#isDefined ? [this.name] : [])] : []
  }

  /** Whether a deletion of the object waits for this operator's cleanup. */
  holds(object: ApiObject): boolean {
    const { finalizers = [] } = object.metadata
    return [...this.#colony, ...this.#own].some((one) => finalizers.includes(one)) || this.#formers(object).length > 0
  }

  /** Whether `add` has something to write. */
  isDue(object: ApiObject): boolean {
    const { finalizers = [] } = object.metadata
    return this.#formers(object).length > 0 || (!this.#options.isPulled && !finalizers.includes(this.name))
  }

  /** Finalizers of other programs. */
  others(object: ApiObject): readonly string[] {
    const held = [...this.#colony, ...this.#own, ...this.#formers(object)]
    return object.metadata.finalizers?.filter((one) => !held.includes(one)) ?? []
  }

  /**
   * Returns the object with the finalizer; undefined when it is gone or being deleted, since no finalizer can be added
   * then.
   */
  add(object: ApiObject, signal: AbortSignal): Promise<ApiObject | undefined> {
    const added = this.#options.isPulled ? [] : [this.name]
    return this.#write(object, signal, (live) => {
      if (live.metadata.deletionTimestamp !== undefined) return undefined
      const former = this.#formers(object)
      const kept = live.metadata.finalizers?.filter((one) => !former.includes(one) && !added.includes(one)) ?? []
      return [...kept, ...added]
    })
  }

  async remove(object: ApiObject, signal: AbortSignal): Promise<void> {
    const held = [...this.#own, ...this.#formers(object)]
    if (!object.metadata.finalizers?.some((one) => held.includes(one))) return
    await this.#write(object, signal, ({ metadata }) => metadata.finalizers?.filter((one) => !held.includes(one)) ?? [])
  }

  #formers(object: ApiObject): readonly string[] {
    const { names, parts } = this.#options
    return formerFinalizers(object, names, { isDefined: this.#isDefined, predecessors: parts.predecessors(object) })
  }

  async #write(
    object: ApiObject,
    signal: AbortSignal,
    decide: (live: ApiObject) => readonly string[] | undefined,
  ): Promise<ApiObject | undefined> {
    const { apiVersion, kind } = object
    const { cluster } = this.#options
    const access = cluster.client.resourceOf<ApiObject>(apiVersion, kind)
    let live: ApiObject | undefined = object
    for (let attempt = 1; live !== undefined && live.metadata.uid === object.metadata.uid; attempt++) {
      const finalizers = decide(live)
      if (finalizers === undefined) return undefined
      const { resourceVersion } = live.metadata
      try {
        const patch = { metadata: { resourceVersion, finalizers } }
        const answer = await access.patch(nameOf(object), patch, { fieldManager: cluster.fieldManager, signal })
        return this.#taken(answer)
      } catch (error) {
        if (isStatusError(error, 'NotFound')) return undefined
        if (!isStatusError(error, 'Conflict') || attempt >= TRIES) throw error
        live = await access.find(nameOf(object), { signal })
      }
    }
    return undefined
  }

  /** Removing the last finalizer of an object that is being deleted deletes the object. */
  #taken(answer: ApiObject): ApiObject {
    const { cluster, isPulled } = this.#options
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [], resourceVersion = '' } = answer.metadata
    const stays = deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds > 0
    // Pulled objects have no cache.
    if (isPulled) return this.#options.parts.keep(answer)
    if (stays) return cluster.take(answer)
    cluster.caches.removed(refOf(answer), resourceVersion)
    return answer
  }
}
