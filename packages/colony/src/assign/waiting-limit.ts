// Limits how many Processes of a namespace wait. A submit beyond it gets a 429, so that a client which submits faster than executors
// work hears of it before the server's memory is full.

import type { CachedObject } from '@homeostat/apiserver'
import { MAX_WAITING_ANNOTATION, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import type { KubeObject } from '@homeostat/meta'
import { tooManyRequests } from '@homeostat/meta/server'
import type { ProcessQueue } from '../queue/process-queue.ts'

type WriteEnd = (stored: CachedObject | undefined) => void

export const DEFAULT_MAX_WAITING = 100_000
const RETRY_SECONDS = 1

export class WaitingLimit {
  readonly #queue: ProcessQueue
  readonly #limitOf: (namespace: string) => number
  /** Processes that are being stored, by namespace: they count before the queue knows them. */
  readonly #coming = new Map<string, number>()

  constructor(queue: ProcessQueue, limitOf: (namespace: string) => number) {
    this.#queue = queue
    this.#limitOf = limitOf
  }

  /**
   * Throws 429 when a Process that will wait is one too many. The caller must call the returned function when it was stored, or was
   * not. Processes of resources always fit: there is at most one that waits for each.
   */
  reserve({ metadata }: KubeObject): WriteEnd | undefined {
    if (metadata.labels?.[RESOURCE_LABELS.uid] !== undefined) return undefined
    const { namespace = '' } = metadata
    const coming = this.#coming.get(namespace) ?? 0
    const limit = this.#limitOf(namespace)
    if (this.#queue.waitingIn(namespace) + coming >= limit) throw tooMany(namespace, limit)
    this.#coming.set(namespace, coming + 1)
    return () => {
      const left = (this.#coming.get(namespace) ?? 1) - 1
      if (left > 0) this.#coming.set(namespace, left)
      else this.#coming.delete(namespace)
    }
  }
}

function tooMany(namespace: string, limit: number) {
  return tooManyRequests(
    `${limit} Processes wait in the namespace ${namespace}, which is its limit: submit again when some have run, start more ` +
      `executors, or raise the annotation ${MAX_WAITING_ANNOTATION} of the namespace`,
    RETRY_SECONDS,
  )
}
