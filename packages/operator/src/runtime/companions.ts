// What a manager has beside controllers, as the runtime sees it: where events go, who leads, who is told of runs, and
// who notices fights. Each has a folder of its own. None of them may throw into a run or make it wait.

import type { ApiObject } from '@homeostat/client'
import type { EventInput, ObjectRef } from './run.ts'

/** Takes events about objects. `recorder/` sends them to the API, summed up. */
export interface EventSink {
  record(regarding: ApiObject, event: EventInput): void
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>
}

/** Whether this process is the one that acts. `leader/` asks a Lease; a process on its own always leads. */
export interface Leadership {
  readonly leading: boolean
  /** Waits until this process leads; the answered signal ends with that. To be asked again after it ended. */
  lead(signal?: AbortSignal): Promise<AbortSignal>
  /** Lets go at once, so that another can take over. Call it when all runs have ended. */
  close(): Promise<void>
}

export interface RunFacts {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace?: string | undefined
  /** Why it runs, e.g. `created`, `ConfigMap settings changed`. */
  readonly trigger: string
}

export type OutcomeType = 'success' | 'waiting' | 'terminal' | 'error' | 'aborted'

export interface ObservedOutcome {
  readonly result: OutcomeType
  readonly error?: unknown
}

export interface QueueState {
  /** Keys that wait for a worker. */
  readonly depth: number
  /** For how long the oldest of them has waited; 0 when none does. */
  readonly oldestMs: number
}

export type WriteResult = 'sent' | 'skipped' | 'failed'

/** Is told what happens. `metrics/` counts it, `health/` makes spans of it. */
export interface Observer {
  /** Goes around every run: calls `work` once and answers what it answered. */
  around?(run: RunFacts, work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome>
  /** A run of the kind is tried again after it failed. */
  retried?(kind: string): void
  /** An apply, a status write or a deletion, or one that was left out because nothing would change. */
  wrote?(kind: string, result: WriteResult): void
  /** Where to ask about a kind's queue; called once per controller. */
  queue?(kind: string, state: () => QueueState): void
}

/** What is fought over when somebody deletes the object again and again. */
export const WHOLE_OBJECT = ''

export interface Fight {
  /** E.g. `spec.replicas`, or WHOLE_OBJECT. */
  readonly field: string
  readonly manager: string
  /** The other one. */
  readonly rival: string
  /** How often the rival changed it. */
  readonly rounds: number
  /** Not to be restored yet; a change of what is wanted is sent nevertheless. */
  readonly hold: boolean
  /** Milliseconds until this has to be looked at again: to restore, or to say that it is over. */
  readonly lookAgain: number
}

/** Notices that another manager changes again and again what ours owns. */
export interface FightDetector {
  /** An object arrived with its managed fields; `before` is what our manager owned of it until now. */
  arrived(object: ApiObject, before: object | undefined): void
  /** An object that our manager has applied is gone. */
  deleted?(object: ApiObject): void
  /** We are about to delete the object ourselves. */
  removes?(uid: string): void
  /** The fight over an object that a run applies, while there is one. */
  over(ref: ObjectRef): Fight | undefined
}
