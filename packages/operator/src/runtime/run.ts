// One run of a reconcile: what it can see and what it can do. Clock, randomness and the API reach a reconcile only
// through this, so that a run can be told about, recorded and tested. Both styles of operators are built on it.

import type { Clock, Log } from '@homeostat/base'
import type { ApiObject, ObjectName } from '@homeostat/client'
import type { Condition, Duration } from '@homeostat/meta'

export type { Duration }

/** Names one object of any kind. */
export interface ObjectRef extends ObjectName {
  readonly apiVersion: string
  readonly kind: string
}

/** What a manifest must have to be applied; all the rest is the kind's own. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string | undefined; [field: string]: unknown }
  [field: string]: unknown
}

export interface Applied<T extends ApiObject = ApiObject> {
  readonly object: T
  /** False when nothing was sent, or the server found nothing to change. */
  readonly changed: boolean
}

export interface ConditionInput {
  status: Condition['status']
  reason?: string | undefined
  message?: string | undefined
}

/** The conditions of the object as this run leaves them. Written once, at the end of the run, if they differ. */
export interface Conditions {
  get(type: string): Condition | undefined
  /** Returns a promise for callers that await it; nothing is sent before the run ends. */
  set(type: string, condition: ConditionInput): Promise<void>
  remove(type: string): void
}

export interface EventInput {
  type?: 'Normal' | 'Warning'
  reason: string
  message: string
  /** What was done, e.g. `Reconcile`. */
  action?: string
  /** A second object that the event is about. */
  related?: ApiObject
}

export interface Run<T extends ApiObject = ApiObject> {
  /** The object with this operator's own writes, as it was when the run began. Shared: not to be changed. */
  readonly object: T
  /** Ends when the run takes too long, the operator ends, or it is no longer the leader. */
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  /** From the cache; the key is queued again when what was read changes, appears or goes. */
  read<O extends ApiObject = ApiObject>(ref: ObjectRef): Promise<O | undefined>
  /** The same for all objects of a kind, of one namespace or a selection by labels. */
  readAll<O extends ApiObject = ApiObject>(
    kind: { readonly apiVersion: string; readonly kind: string },
    select?: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> },
  ): Promise<O[]>
  /** Server-side apply under the operator's manager, forced. Sends nothing when the object already is so. Tracked like a read. */
  apply<O extends ApiObject = ApiObject>(manifest: Manifest): Promise<Applied<O>>
  /** Removes an object that is there; its uid is the precondition when it is given. */
  remove(ref: ObjectRef, options?: { readonly uid?: string }): Promise<void>
  readonly conditions: Conditions
  /** Merges into the status that is written at the end of the run. */
  patchStatus(fields: Readonly<Record<string, unknown>>): void
  /** Says what the whole status is, apart from conditions and observedGeneration: what is left out goes. */
  setStatus(fields: Readonly<Record<string, unknown>>): void
  event(event: EventInput): void
  /** The run's manager: for writes outside `apply`. */
  readonly fieldManager: string
  /** The API itself, for what the methods above do not have. Its reads are not tracked. */
  readonly client: import('@homeostat/client').Client
}

export interface Result {
  /** Runs again after so long. Less than 100 ms is raised to that. */
  readonly requeueAfter?: Duration
}

// A function that returns nothing is assignable to one that returns `void`, not to one that returns `undefined`.
// biome-ignore lint/suspicious/noConfusingVoidType: authors leave the return out
export type Outcome = Result | void

/**
 * What a controller does. It is one object for all keys; what it keeps per key it drops in `forget`. The styles of this
 * package see more of a run than authors do (`R`).
 */
export interface Behaviour<T extends ApiObject = ApiObject, R = Run<T>> {
  /** Called with the object's newest state; not for one being deleted, unless there is no `cleanup`. */
  reconcile(run: R): Promise<Outcome>
  /** Being there adds a finalizer; it runs before the object goes, until it succeeds and asks for no further run. */
  cleanup?: ((run: R) => Promise<Outcome>) | undefined
  /**
   * Whether this object needs `cleanup`, asked before the finalizer is added; it may throw as a reconcile does. Default:
   * every object does when there is a `cleanup`. An object that has the finalizer gets its cleanup in any case.
   */
  needsCleanup?(run: R): Promise<boolean>
  /** The object is gone. */
  forget?(key: ObjectName): void
}
