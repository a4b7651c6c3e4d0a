// The finalizer of an operator: put on before the first reconcile of an object that needs cleanup, taken off after the
// cleanup succeeded. Writes name the revision they were decided on, so that no other finalizer is lost.

import type { ApiObject } from '@homeostat/client'
import { isStatusError, parseGroupVersion } from '@homeostat/meta'
import type { LiveCluster } from './live-cluster.ts'
import { nameOf, refOf } from './object-key.ts'

const MAX_NAME = 63
const TRIES = 5

/** `example.com/shop-operator`: a qualified name, the same in every version of the operator. */
export function finalizerName(apiVersion: string, fieldManager: string): string {
  const group = parseGroupVersion(apiVersion)?.group ?? ''
  const name = fieldManager
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, MAX_NAME)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return `${group === '' ? 'homeostat.dev' : group}/${name === '' ? 'operator' : name}`
}

export function hasFinalizer({ metadata }: ApiObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) === true
}

/** What a controller does with a finalizer. */
export type FinalizerAccess = Pick<Finalizer, 'name' | 'add' | 'remove'>

export class Finalizer {
  readonly name: string
  readonly #cluster: LiveCluster

  constructor(cluster: LiveCluster, apiVersion: string) {
    this.name = finalizerName(apiVersion, cluster.fieldManager)
    this.#cluster = cluster
  }

  /** The object with the finalizer; undefined when it is gone, or going, so that it cannot be put on any more. */
  add(object: ApiObject, signal: AbortSignal): Promise<ApiObject | undefined> {
    return this.#write(object, signal, ({ metadata }) =>
      metadata.deletionTimestamp === undefined ? [...(metadata.finalizers ?? []), this.name] : undefined,
    )
  }

  async remove(object: ApiObject, signal: AbortSignal): Promise<void> {
    await this.#write(object, signal, (live) => live.metadata.finalizers?.filter((one) => one !== this.name) ?? [])
  }

  async #write(
    object: ApiObject,
    signal: AbortSignal,
    decide: (live: ApiObject) => readonly string[] | undefined,
  ): Promise<ApiObject | undefined> {
    const { apiVersion, kind } = object
    const access = this.#cluster.client.resourceOf<ApiObject>(apiVersion, kind)
    let live: ApiObject | undefined = object
    for (let attempt = 1; live !== undefined && live.metadata.uid === object.metadata.uid; attempt++) {
      const finalizers = decide(live)
      if (finalizers === undefined) return undefined
      const { resourceVersion } = live.metadata
      try {
        const patch = { metadata: { resourceVersion, finalizers } }
        const options = { fieldManager: this.#cluster.fieldManager, signal }
        const answer = await access.patch(nameOf(object), patch, options)
        return this.#taken(answer)
      } catch (error) {
        if (isStatusError(error, 'NotFound')) return undefined
        if (!isStatusError(error, 'Conflict') || attempt >= TRIES) throw error
        live = await access.find(nameOf(object), { signal })
      }
    }
    return undefined
  }

  /** The last finalizer of an object that is being deleted takes the object with it. */
  #taken(answer: ApiObject): ApiObject {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [], resourceVersion = '' } = answer.metadata
    const stays = deletionTimestamp === undefined || finalizers.length > 0 || deletionGracePeriodSeconds > 0
    if (stays) return this.#cluster.take(answer)
    this.#cluster.caches.removed(refOf(answer), resourceVersion)
    return answer
  }
}
