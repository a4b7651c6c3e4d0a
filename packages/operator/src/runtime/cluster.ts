// The objects as this operator sees them: its caches with its own writes in them, and the one way it writes. Shared by
// all controllers of a process; a Run adds what belongs to one key.

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, Client, Informer } from '@homeostat/client'
import type { Applied, Manifest, ObjectRef } from './run.ts'

export interface Cluster {
  readonly client: Client
  /** The manager of every apply, the same in every version and replica of the operator. */
  readonly fieldManager: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Controllers do not watch their own kinds: a colony gives them the objects, one run at a time. */
  readonly pulls: boolean
  /** The informer of a kind, opened with the first call and kept until the operator ends. */
  informer<T extends ApiObject>(apiVersion: string, kind: string): Informer<T>
  /** What the cache has now; undefined also while it is not synced. */
  peek<T extends ApiObject>(ref: ObjectRef): T | undefined
  /** Waits for the cache of the kind, then looks there. */
  read<T extends ApiObject>(ref: ObjectRef, signal?: AbortSignal): Promise<T | undefined>
  /** Waits until every informer that was opened is synced. */
  whenSynced(signal?: AbortSignal): Promise<void>
  apply<T extends ApiObject>(manifest: Manifest, signal?: AbortSignal): Promise<Applied<T>>
  remove(ref: ObjectRef, options?: { readonly uid?: string; readonly signal?: AbortSignal }): Promise<void>
  /** Puts an answer of the server to another write of ours into the cache. */
  wrote(object: ApiObject): void
  /**
   * The part of an object that the operator's manager owns: the object as it was applied, with nothing that others or
   * the server added. Undefined when it owns nothing of it.
   */
  owned(object: ApiObject): (Partial<ApiObject> & Readonly<Record<string, unknown>>) | undefined
  /** The one instance of a class on this cluster, made with the first call. */
  shared<S>(type: new (cluster: Cluster) => S): S
  /** Queues an object of a controlled kind for a run. */
  queue(ref: ObjectRef, trigger: string): void
}
