// Interfaces of the services beside controllers: event sink, leadership, observer and fight detector. Each is
// implemented in a folder of its own. None of them may throw into a reconcile or block it.

import type { ApiObject } from '@homeostat/client'
import type { RunRecord } from '@homeostat/meta/events'
import type { EventInput, ObjectRef } from './reconcile-context.ts'

/** Takes events about objects. `recorder/` aggregates them and writes them to the API. */
export interface EventSink {
  record(regarding: ApiObject, event: EventInput): void
  /** Writes the rest, for a bounded time. */
  close(): Promise<void>
}

/** Takes the runs that wrote something. `recorder/` makes Events of them. */
export interface RunSink {
  record(regarding: ApiObject, run: RunRecord): void
  close(): Promise<void>
}

/** Whether this process may act. `leader/` holds a Lease; without leader election a process always leads. */
export interface Leadership {
  readonly leading: boolean
  /** Waits until this process leads. The returned signal aborts when the term ends; call again for the next term. */
  lead(signal?: AbortSignal): Promise<AbortSignal>
  /** Set when several processes share the objects. Absent: a process that leads owns all of them. */
  readonly ownership?: Ownership
  /** Releases leadership, so that another replica takes over at once. Call it after all reconciles have ended. */
  close(): Promise<void>
}

/** Which objects belong to this process. `shards/` shares them by a hash of their uids. */
export interface Ownership {
  /** Number of processes that share the objects, this one included. */
  readonly members: number
  owns(uid: string): boolean
  /** Claims the object for one reconcile; undefined when it belongs to another process. */
  claim(uid: string): Claim | undefined
  /** Calls back when other objects may belong to this process than before. */
  onRebalance(callback: () => void): void
}

export interface Claim {
  /** Aborts when the object belongs to another process: it waits until this one ends the claim. */
  readonly signal: AbortSignal
  /** Call it when nothing of the reconcile goes on. */
  end(): void
}

export interface RunFacts {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
  /** Why the key was queued, e.g. `created`, `ConfigMap settings changed`. */
  readonly trigger: string
}

export type OutcomeType = 'success' | 'waiting' | 'terminal' | 'error' | 'aborted'

export interface ObservedOutcome {
  readonly result: OutcomeType
  readonly error?: unknown
}

export interface QueueState {
  /** Number of keys that wait for a worker. */
  readonly depth: number
  /** How long the oldest of them has waited; 0 when none does. */
  readonly oldestMs: number
}

export type WriteResult = 'sent' | 'skipped' | 'failed'

/** Is notified of reconciles and writes. `metrics/` counts them, `health/` records spans. */
export interface Observer {
  /** Wraps every reconcile: calls `work` once and returns its outcome. */
  around?(run: RunFacts, work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome>
  /** A failed reconcile of the kind is retried. */
  retried?(kind: string): void
  /** An apply, a status write or a deletion, sent or skipped because nothing would change. */
  wrote?(kind: string, result: WriteResult): void
  /** A request waited this long for the client's rate limit; called for every request of a client that has one. */
  waited?(ms: number): void
  /** Registers a function that reports the state of a kind's queue; called once per controller. */
  queue?(kind: string, state: () => QueueState): void
  /** Registers a function that counts the objects of a kind that this process owns, where processes share them. */
  owned?(kind: string, count: () => number): void
}

/** The field of a fight over the object's existence: another program keeps deleting it. */
export const WHOLE_OBJECT = ''

export interface Fight {
  /** E.g. `spec.replicas`, or WHOLE_OBJECT. */
  readonly field: string
  readonly manager: string
  /** The other manager. */
  readonly rival: string
  /** Number of times that the rival changed the field. */
  readonly rounds: number
  /** Whether to back off instead of restoring the field now. A changed manifest is sent nevertheless. */
  readonly hold: boolean
  /** Milliseconds until the next check: to restore the field, or to report that the fight is over. */
  readonly lookAgain: number
}

/** Detects that another manager keeps changing what our manager owns. */
export interface FightDetector {
  /** An object arrived with its managed fields; `before` is what our manager owned until now. */
  arrived(object: ApiObject, before: object | undefined): void
  /** An object that our manager applied was deleted. */
  deleted?(object: ApiObject): void
  /** This operator is about to delete the object itself, which is not a fight. */
  removes?(uid: string): void
  /** The current fight over an object that a reconcile applies. */
  over(ref: ObjectRef): Fight | undefined
}
