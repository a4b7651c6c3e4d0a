// One reconcile: what it can read and do. Clock, randomness and the API reach it only through this interface, so that
// it can be logged, recorded and tested. Both styles of operators are built on it.

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, ObjectName } from '@homeostat/client'
import type { Condition, Duration } from '@homeostat/meta'
import type { EventInput } from '@homeostat/meta/events'

export type { Duration, EventInput }

/** Names one object of any kind. */
export interface ObjectRef extends ObjectName {
  readonly apiVersion: string
  readonly kind: string
}

/** The required fields of a manifest; all others depend on the kind. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string | undefined; [field: string]: unknown }
  [field: string]: unknown
}

export interface Applied<T extends ApiObject = ApiObject> {
  readonly object: T
  /** False when nothing was sent, or the server changed nothing. */
  readonly changed: boolean
}

export interface ConditionInput {
  status: Condition['status']
  reason?: string | undefined
  message?: string | undefined
}

/** The conditions of the object. They are written once, at the end of the reconcile, if they differ. */
export interface Conditions {
  get(type: string): Condition | undefined
  /** Returns a promise for callers that await it; nothing is sent before the reconcile ends. */
  set(type: string, condition: ConditionInput): Promise<void>
  remove(type: string): void
}

export interface ReconcileContext<T extends ApiObject = ApiObject> {
  /**
   * The object when the reconcile began, including this operator's own writes. Shared with the cache: do not mutate.
   */
  readonly object: T
  /** Aborts on timeout, on shutdown, and when this process is no longer the leader. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** Reads from the cache; the key is queued again when the object changes, appears or is deleted. */
  read<O extends ApiObject = ApiObject>(ref: ObjectRef): Promise<O | undefined>
  /** Lists a kind from the cache, optionally of one namespace or with labels; tracked like a read. */
  readAll<O extends ApiObject = ApiObject>(
    kind: { readonly apiVersion: string; readonly kind: string },
    select?: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> },
  ): Promise<O[]>
  /** Server-side apply under the operator's manager, forced. Skipped when nothing would change. Tracked like a read. */
  apply<O extends ApiObject = ApiObject>(manifest: Manifest): Promise<Applied<O>>
  /** Deletes an object if it exists, with its uid as precondition when given. */
  remove(ref: ObjectRef, options?: { readonly uid?: string }): Promise<void>
  readonly conditions: Conditions
  /** Merges into the status, which is written at the end of the reconcile. */
  patchStatus(fields: Readonly<Record<string, unknown>>): void
  /** Replaces the whole status except conditions and observedGeneration: fields that are left out are removed. */
  setStatus(fields: Readonly<Record<string, unknown>>): void
  event(event: EventInput): void
  /** The operator's field manager, for writes outside `apply`. */
  readonly fieldManager: string
  /** The API client, for anything the methods above lack. Its reads are not tracked. */
  readonly client: import('@homeostat/client').Client
}

export interface Requeue {
  /** Reconciles again after this time; at least 100 ms. */
  readonly requeueAfter?: Duration
}

// A function that returns nothing is assignable to one that returns `void`, not to one that returns `undefined`.
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type Outcome = Requeue | void

/**
 * What a controller does. One object serves all keys; state that it keeps per key is dropped in `forget`. The styles of
 * this package see more of a reconcile than authors do (`R`).
 */
export interface Behaviour<T extends ApiObject = ApiObject, R = ReconcileContext<T>> {
  /** Called with the newest state of the object; not during its deletion, unless there is no `cleanup`. */
  reconcile(run: R): Promise<Outcome>
  /** Its presence adds a finalizer. It runs on deletion, until it succeeds without asking for another reconcile. */
  cleanup?: ((run: R) => Promise<Outcome>) | undefined
  /**
   * Whether this object needs `cleanup`, asked before the finalizer is added; it may throw like a reconcile. Default:
   * true when there is a `cleanup`. An object that has the finalizer is always cleaned up.
   */
  needsCleanup?(run: R): Promise<boolean>
  /** Drops the state of an object that is gone. */
  forget?(key: ObjectName): void
}
