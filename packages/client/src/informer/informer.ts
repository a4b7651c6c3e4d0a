// A copy of a server's objects that keeps itself true. It lists, watches, resumes, and lists again when history is
// gone; what happened meanwhile is told as ordinary changes. Handlers hear of each change once and in order.

import type { Duration } from '@homeostat/meta'
import type { ObjectName } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'

/** What an informer holds. Informers of one kind and the same selection are one. */
export interface Selection {
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
  /** Keeps apiVersion, kind and metadata alone. */
  readonly metadataOnly?: boolean | undefined
}

export interface InformerEvent<T> {
  readonly type: 'added' | 'updated' | 'deleted'
  /** For `deleted` the last state that is known. */
  readonly object: T
  readonly previous: T | undefined
  /** It was there before anybody subscribed, or when the first list was made. */
  readonly initial: boolean
}

export interface Informer<T extends ApiObject> {
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  /** The first list is complete. */
  readonly synced: boolean
  /** Rejects when the signal aborts or the informer is closed before. It keeps trying for as long as it takes. */
  whenSynced(signal?: AbortSignal): Promise<void>
  /** The revision up to which the server's changes are in here; empty before the first list. */
  readonly revision: string
  /** What keeps it from being current, while something does. */
  readonly trouble: Error | undefined
  readonly size: number
  get(name: ObjectName): T | undefined
  /** Undefined namespace: all. The array is the caller's, the objects are shared and must not be changed. */
  list(namespace?: string): T[]
  /** Adds an index; a second one of the same name is ignored. */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void
  byIndex(name: string, value: string): T[]
  /** Tells of what is there, as initial additions, in this very call; then of every change. A handler must not throw. */
  subscribe(onChange: (change: InformerEvent<T>) => void): () => void
  /** Puts in what a write of ours answered: visible at once, told as a change, never replaced by an older state. */
  wrote(object: T): void
  /** Takes out what a delete of ours removed. A state up to that revision does not bring it back. */
  removed(name: ObjectName, resourceVersion: string): void
  /** Gives this holder's share back; the last one ends the watch. Safe to call twice. */
  close(): void
}

export interface Informers {
  /** Opens, or shares, the informer of a selection. It starts by itself. */
  open<T extends ApiObject>(apiVersion: string, kind: string, selection?: Selection): Informer<T>
  /** How many are open, for tests and metrics. */
  readonly size: number
  close(): void
}

export interface InformersOptions {
  /**
   * What is kept of an object that arrived, e.g. without its managed fields, which is the default. It may take
   * something from them first. Called once per object and change, also for `wrote`.
   */
  readonly keep?: (object: ApiObject) => ApiObject
  /** Ends a watch that sent nothing, not even a bookmark, for so long. Default 70 s. */
  readonly silenceLimit?: Duration
  /** Between tries after failures. Default 500 ms up to 30 s, with jitter. */
  readonly backoff?: { readonly min?: Duration; readonly max?: Duration }
  readonly clock?: import('@homeostat/base').Clock
  readonly random?: () => number
  /** Hears of troubles: each try that failed, and why. */
  readonly onTrouble?: (error: Error, informer: { readonly apiVersion: string; readonly kind: string }) => void
  /** Hears that an informer that had trouble is current again. */
  readonly onRecovered?: (informer: { readonly apiVersion: string; readonly kind: string }) => void
}
