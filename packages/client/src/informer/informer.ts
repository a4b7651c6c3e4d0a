// A local copy of a server's objects, kept current by list and watch. It resumes broken watches and lists again when
// the server has compacted the history; the difference arrives as ordinary changes. Handlers get each change once, in
// order.

import type { Duration } from '@homeostat/meta'
import type { ObjectName } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'

/** What an informer holds. Informers of one kind and an equal selection share one watch. */
export interface Selection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  /** Keeps only apiVersion, kind and metadata. */
  readonly metadataOnly?: boolean | undefined
}

export interface InformerEvent<T> {
  readonly type: 'added' | 'updated' | 'deleted'
  /** For `deleted`: the last known state. */
  readonly object: T
  readonly previous: T | undefined
  /** The object existed when the handler subscribed, or was in the first list. */
  readonly initial: boolean
}

export interface Informer<T extends ApiObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  /** The first list is complete. */
  readonly synced: boolean
  /** Resolves after the first list; retries until then. Rejects when the signal aborts or the informer is closed. */
  whenSynced(signal?: AbortSignal): Promise<void>
  /** The revision up to which the copy holds the server's changes; empty before the first list. */
  readonly revision: string
  /** The error that keeps the copy from being current; undefined while there is none. */
  readonly trouble: Error | undefined
  readonly size: number
  get(name: ObjectName): T | undefined
  /** All namespaces by default. The array belongs to the caller; the objects are shared and must not be changed. */
  list(namespace?: string): T[]
  /** Adds an index; a second one of the same name is ignored. */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void
  byIndex(name: string, value: string): T[]
  /**
   * Calls back for every existing object, as initial additions, before it returns; then for every change. A handler
   * must not throw.
   */
  subscribe(onChange: (change: InformerEvent<T>) => void): () => void
  /**
   * Stores the response of the caller's own write: visible at once, delivered as a change, never replaced by an older
   * state.
   */
  wrote(object: T): void
  /** Removes an object that the caller deleted. A state up to that revision does not restore it. */
  removed(name: ObjectName, resourceVersion: string): void
  /** Releases this holder's share; the last one ends the watch. Safe to call twice. */
  close(): void
}

export interface Informers {
  /** Opens the informer of a selection, or shares the open one. It starts by itself. */
  open<T extends ApiObject>(apiVersion: string, kind: string, selection?: Selection): Informer<T>
  /** Number of open informers, for tests and metrics. */
  readonly size: number
  close(): void
}

/** Names an informer in reports about it. */
type Opened = Pick<Informer<ApiObject>, 'apiVersion' | 'kind' | 'selection'>

export interface InformersOptions {
  /**
   * Returns what the cache stores of a received object; it may read the managed fields before it drops them. Called
   * once per object and change, also for `wrote`. Default: the object without its managed fields.
   */
  readonly keep?: (object: ApiObject) => ApiObject
  /** Ends a watch that sent nothing, not even a bookmark, for this long. Default 70 s. */
  readonly silenceLimit?: Duration
  /** Wait between retries after failures. Default 500 ms up to 30 s, with jitter. */
  readonly backoff?: { readonly min?: Duration; readonly max?: Duration }
  readonly clock?: import('@homeostat/base').Clock
  readonly random?: () => number
  /** Called with the error of each failed try. */
  readonly onTrouble?: (error: Error, informer: Opened) => void
  /** Called when an informer is current again after trouble. */
  readonly onRecovered?: (informer: Opened) => void
}
