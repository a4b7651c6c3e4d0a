// What goes over the wire between an executor and the colony: the two kinds, and the calls. docs/colony.md shows the
// same with curl; both sides are written against this file.

import type { ApiObject } from '@homeostat/client'
import type { Condition } from '@homeostat/meta'

export const COLONIES = { group: 'colonies.io', version: 'v1' } as const

export type Phase = 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled'

export interface ProcessSpec {
  readonly funcName: string
  readonly args?: readonly unknown[]
  readonly kwargs?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
  /** For people, e.g. `Kind/name`. */
  readonly label?: string
  /** -50000 to 50000; one step counts as much as a day of waiting. Default 0. */
  readonly priority?: number
  /** Fails when nobody has taken it after so long, counted from when it began to wait. Absent or 0: waits for ever. */
  readonly maxWaitSeconds?: number
  /** An attempt that takes longer ends and counts as a failed one. Absent or 0: as long as it takes. */
  readonly maxExecSeconds?: number
  /** Failed attempts after which it is tried again. Default 3; -1: no limit. */
  readonly maxRetries?: number
  /** Two Processes of one namespace with the same key never run at once. */
  readonly concurrencyKey?: string
  /** Who may run it. */
  readonly conditions: ProcessConditions
  /** Asks for its end. Cannot be taken back. */
  readonly cancel?: boolean
  /** It is deleted so long after its end. Absent: kept. */
  readonly ttlSecondsAfterFinished?: number
}

export interface ProcessConditions {
  readonly executorType: string
  /** Only executors with one of these names. */
  readonly executorNames?: readonly string[]
  /** Only executors at this location; case does not count. */
  readonly location?: string
  /** Quantities that the executor must have free. */
  readonly cpu?: string
  readonly memory?: string
}

export interface ProcessStatus {
  readonly phase: Phase
  /** When it was submitted, to the microsecond: the order among Processes of one priority. */
  readonly submittedAt: string
  /** Rises with each assignment, and is what fences: who closes must name it. 0 before the first. */
  readonly attempt: number
  /** How often it was put back after a failed attempt; ends at maxRetries. */
  readonly retries?: number
  readonly executor?: string
  /** Not assigned before this time. */
  readonly notBefore?: string
  readonly waitDeadline?: string
  readonly execDeadline?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly input?: unknown
  /** At most 256 KiB as JSON. */
  readonly output?: unknown
  /** Of the last attempt that failed, and why it ended. */
  readonly errors?: readonly string[]
  /** `Complete` or `Failed` (also for Cancelled) when it has ended. */
  readonly conditions?: readonly Condition[]
}

export interface Process extends ApiObject {
  readonly spec: ProcessSpec
  readonly status: ProcessStatus
}

export interface ExecutorSpec {
  readonly type: string
  /** What it can do. When there are any, it gets no others. */
  readonly functions?: readonly string[]
  readonly location?: string
  /** Free words and figures for people; `cpu` and `memory` are what it has when an assign does not say what is free. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** The object is deleted so long after the executor was lost. Absent: kept. */
  readonly ttlSecondsAfterLost?: number
}

export interface ExecutorStatus {
  /** Written when it changes; the Lease `executor-NAME` has the time of the last sign of life. */
  readonly phase?: 'Online' | 'Lost'
}

export interface Executor extends ApiObject {
  readonly spec: ExecutorSpec
  readonly status?: ExecutorStatus
}

/** Seconds between heartbeats, and without a sign of life after which an executor is lost. */
export const HEARTBEAT_SECONDS = 10
export const LOST_SECONDS = 30

/** One attempt at one Process. */
export interface Attempt {
  readonly process: string
  readonly attempt: number
}

/** How an attempt ended. */
export interface ProcessOutcome extends Attempt {
  /** Cancelled is for one that was told to end. */
  readonly result: 'Succeeded' | 'Failed' | 'Cancelled'
  /** Of a failed one: whether it is worth another try, as far as maxRetries allows. Default true. */
  readonly retryable?: boolean
  readonly output?: unknown
  readonly errors?: readonly string[]
  /** For a Process of a resource: the resource's status as the executor sees it; what it no longer says goes. */
  readonly status?: Readonly<Record<string, unknown>>
  /** For a Process of a resource: all objects that shall exist because of it. The server applies, owns and prunes them. Absent: they stay as they are. */
  readonly children?: readonly ApiObject[]
  /** Seconds. It succeeded for now: it goes back to Waiting and is assigned again after this time. */
  readonly requeueAfter?: number
}

/**
 * On an Executor: which program it is, of all that were started under its name. Who is started last has the name; calls that
 * name another instance get a 409 with a cause of this reason. Who names none is not told apart.
 */
export const INSTANCE_ANNOTATION = 'colonies.io/instance'
export const REPLACED = 'ExecutorReplaced'

/** `POST executors/{name}/assign?timeoutSeconds=` */
export interface AssignRequest {
  readonly instance?: string
  /** How many Processes are wanted. Default 1; 0 says what finished, or without any waits for cancels alone. At most 100. */
  readonly max?: number
  /** What the executor has to give. Absent: its capabilities, or no limit. */
  readonly free?: { readonly cpu?: string; readonly memory?: string }
  /** Closed with the same call. When one is refused the answer is 409 with a cause for each, and nothing is assigned. */
  readonly finished?: readonly ProcessOutcome[]
}

export interface AssignResponse {
  /** Running now, by this executor. Empty when the time was up. */
  readonly processes: readonly Process[]
  /** What the executor runs and should end. A long poll is answered at once when there is something new here. */
  readonly cancelled: readonly Attempt[]
}

/** `POST executors/{name}/heartbeat` */
export interface HeartbeatRequest {
  readonly instance?: string
  readonly holding?: readonly Attempt[]
}

export interface HeartbeatResponse {
  readonly cancelled: readonly Attempt[]
  /** Held, but no longer this executor's: its end will be refused. */
  readonly lost: readonly Attempt[]
}

/** `POST processes/{name}/close`. Answers the Process; 409 when the executor or the attempt is another. */
export interface CloseRequest extends Omit<ProcessOutcome, 'process'> {
  readonly executor: string
}

/** On a resource of a handled kind, and on the Processes made for it. */
export const HANDLER_ANNOTATION = 'colonies.io/handler'
export const HANDLER_FINALIZER = 'colonies.io/handler'
/** On a resource: a new value asks for a run now; `force` in the run's kwargs when it begins with `force`. */
export const RECONCILE_ANNOTATION = 'colonies.io/reconcile'
/** On a namespace, with the value "true": nothing of its queue is assigned. */
export const PAUSED_ANNOTATION = 'colonies.io/paused'
export const RESOURCE_LABELS = {
  kind: 'colonies.io/resource-kind',
  name: 'colonies.io/resource-name',
  uid: 'colonies.io/resource-uid',
  generation: 'colonies.io/resource-generation',
} as const

/** The value of HANDLER_ANNOTATION on a definition, as JSON. */
export interface Handler {
  readonly executorType: string
  readonly functionName: string
  /** Seconds between runs for a resource that does not change. Absent or 0: only changes bring runs. */
  readonly reconcileInterval?: number
  /** Passed on as the condition `location` of its Processes. */
  readonly location?: string
  /** What its resources are held by until they are cleaned up, for who cleans up in other ways, too. Default `colonies.io/handler`. */
  readonly finalizer?: string
}
