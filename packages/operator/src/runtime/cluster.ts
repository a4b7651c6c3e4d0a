// The cluster as this operator sees it: its caches, which include its own writes, and the one way it writes. All
// controllers of a process share it; a ReconcileContext adds what belongs to one key.

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, Client, Informer } from '@homeostat/client'
import type { Applied, Manifest, ObjectRef } from './reconcile-context.ts'

export interface Cluster {
  readonly client: Client
  /** The field manager of every apply, the same in every version and replica of the operator. */
  readonly fieldManager: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Controllers do not watch their own kinds: a colony assigns the objects, one reconcile at a time. */
  readonly pulls: boolean
  /** The informer of a kind, opened by the first call and kept until the operator is closed. */
  informer<T extends ApiObject>(apiVersion: string, kind: string): Informer<T>
  /** The cached object; undefined also while the cache is not synced. */
  peek<T extends ApiObject>(ref: ObjectRef): T | undefined
  /** Waits until the cache of the kind is synced, then reads from it. */
  read<T extends ApiObject>(ref: ObjectRef, signal?: AbortSignal): Promise<T | undefined>
  /** Waits until every open informer is synced. */
  whenSynced(signal?: AbortSignal): Promise<void>
  apply<T extends ApiObject>(manifest: Manifest, signal?: AbortSignal): Promise<Applied<T>>
  remove(ref: ObjectRef, options?: { readonly uid?: string; readonly signal?: AbortSignal }): Promise<void>
  /** Puts the response to another write of this operator into the cache. */
  wrote(object: ApiObject): void
  /**
   * The part of an object that the operator's manager owns: the object as applied, without what others or the server
   * added. Undefined when it owns nothing.
   */
  owned(object: ApiObject): (Partial<ApiObject> & Readonly<Record<string, unknown>>) | undefined
  /** The single instance of a class for this cluster, created by the first call. */
  shared<S>(type: new (cluster: Cluster) => S): S
  /** Queues an object of a controlled kind. */
  queue(ref: ObjectRef, trigger: string): void
}
