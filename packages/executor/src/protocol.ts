// The wire format between an executor and the colony: the two kinds, and the calls. docs/executors.md shows the same with
// curl. Both sides import this file.

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
  /** The Process fails when no executor takes it within this time after it began to wait. If absent or 0, there is no limit. */
  readonly maxWaitSeconds?: number
  /** An attempt that takes longer is ended and counts as failed. If absent or 0, there is no limit. */
  readonly maxExecSeconds?: number
  /** How many failed attempts are retried. Default 3; -1 means without a limit. */
  readonly maxRetries?: number
  /** Two Processes of one namespace with the same key never run at once. */
  readonly concurrencyKey?: string
  /** Which executors may run the Process. */
  readonly conditions: ProcessConditions
  /** Cancels the Process. This cannot be taken back. */
  readonly cancel?: boolean
  /** The Process is deleted this long after its end. If absent, it is kept. */
  readonly ttlSecondsAfterFinished?: number
  /** The Processes whose outputs are its input, in order; empty for a node without one. Only the colony sets it. */
  readonly inputFrom?: readonly string[]
}

export interface ProcessConditions {
  readonly executorType: string
  /** Only executors with one of these names. */
  readonly executorNames?: readonly string[]
  /** Only executors at this location; case does not count. */
  readonly location?: string
  /** Only executors whose `capabilities.software` has all of these, or that list none; case does not count. */
  readonly software?: readonly string[]
  /** Quantities that the executor must have free. */
  readonly cpu?: string
  readonly memory?: string
}

export interface ProcessStatus {
  readonly phase: Phase
  /** In microseconds. Processes of equal priority are assigned in this order. */
  readonly submittedAt: string
  /** Rises with each assignment; 0 before the first. It is the fence: a close must name the current attempt. */
  readonly attempt: number
  /** How many failed attempts were retried. Never more than maxRetries. */
  readonly retries?: number
  readonly executor?: string
  /** Not assigned before this time. */
  /** The attempts that failed and were retried, the oldest first: the last ten. */
  readonly pastAttempts?: readonly PastAttempt[]
  readonly notBefore?: string
  readonly waitDeadline?: string
  readonly execDeadline?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  /** Only in the response to an assign, and at most 1 MiB: the outputs of the Processes in `spec.inputFrom`. */
  readonly input?: readonly unknown[]
  /** The nodes that it has added to its graph: GraphNodes of `./graphs`. */
  readonly addedNodes?: readonly { readonly name: string }[]
  /** At most 256 KiB as JSON. */
  readonly output?: unknown
  /** Why the last attempt failed. */
  readonly errors?: readonly string[]
  /** `Complete` or `Failed` (also for Cancelled) when it has ended. */
  readonly conditions?: readonly Condition[]
}

export interface PastAttempt {
  readonly attempt: number
  readonly executor?: string
  readonly startedAt?: string
  readonly finishedAt: string
  /** The beginning of its first error. */
  readonly error?: string
}

export interface Process extends ApiObject {
  readonly spec: ProcessSpec
  readonly status: ProcessStatus
}

export interface ExecutorSpec {
  readonly type: string
  /** The service account of the executor, in its namespace. The server records the account that registers itself. */
  readonly serviceAccountName?: string
  /** The functions that it has. If there are any, it gets Processes for these only. */
  readonly functions?: readonly string[]
  readonly location?: string
  /** Free-form facts for people; `cpu` and `memory` are its capacity when an assign has no `free`, `software` what it can use. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** The object is deleted this long after the executor was lost. If absent, it is kept. */
  readonly ttlSecondsAfterLost?: number
}

export interface ExecutorStatus {
  /** The Lease `executor-NAME` has the time of the last call. */
  readonly phase?: 'Online' | 'Lost' | 'Pending'
}

export interface Executor extends ApiObject {
  readonly spec: ExecutorSpec
  readonly status?: ExecutorStatus
}

/** Seconds between heartbeats, and seconds without a call after which an executor is lost. */
export const HEARTBEAT_SECONDS = 10
export const LOST_SECONDS = 30

/** One attempt at one Process. */
export interface Attempt {
  readonly process: string
  readonly attempt: number
}

/** How an attempt ended. */
export interface ProcessOutcome extends Attempt {
  /** Cancelled is for an attempt that the server asked to end. */
  readonly result: 'Succeeded' | 'Failed' | 'Cancelled'
  /** Whether a failed attempt is retried, as far as maxRetries allows. Default true. */
  readonly retryable?: boolean
  readonly output?: unknown
  readonly errors?: readonly string[]
  /** For a Process of a resource: the resource's status. Fields that the executor no longer reports are removed. */
  readonly status?: Readonly<Record<string, unknown>>
  /** For a Process of a resource: all its child objects. The server applies, owns and prunes them. If absent, they stay as they are. */
  readonly children?: readonly ApiObject[]
  /** Seconds. The Process goes back to Waiting after a success and is assigned again after this time. */
  readonly requeueAfter?: number
}

/**
 * On an Executor: the program that has its name. The program that was started last has the name; calls with another instance
 * get a 409 with a cause of the reason REPLACED. Calls without an instance are not checked.
 */
export const INSTANCE_ANNOTATION = 'colonies.io/instance'
export const REPLACED = 'ExecutorReplaced'

/** `POST executors/{name}/assign?timeoutSeconds=` */
export interface AssignRequest {
  readonly instance?: string
  /** How many Processes are wanted: 0 to 100, default 1. With 0 it reports `finished`, or without any waits for cancels only. */
  readonly max?: number
  /** How many of `max` would not begin at once, default 0. The server prefers executors that begin at once. */
  readonly prefetch?: number
  /** Attempts that were assigned and not begun. Their Processes wait again, which does not count as a failure. */
  readonly returned?: readonly Attempt[]
  /** The free capacity. If absent, its capabilities count, or there is no limit. */
  readonly free?: { readonly cpu?: string; readonly memory?: string }
  /** Closed with the same call. If one is refused, the response is 409 with a cause for each, and nothing is assigned. */
  readonly finished?: readonly ProcessOutcome[]
}

export interface AssignResponse {
  /** The Processes that this executor runs from now on. Empty when the time was up. */
  readonly processes: readonly Process[]
  /** Attempts that the executor should end. A new one here ends a long poll at once. */
  readonly cancelled: readonly Attempt[]
}

/** `POST executors/{name}/heartbeat` */
export interface HeartbeatRequest {
  readonly instance?: string
  readonly holding?: readonly Attempt[]
}

export interface HeartbeatResponse {
  readonly cancelled: readonly Attempt[]
  /** Attempts that are no longer this executor's. Their outcomes will be refused. */
  readonly lost: readonly Attempt[]
}

/** `POST processes/{name}/close`. The response is the Process; 409 when the executor or the attempt is another. */
export interface CloseRequest extends Omit<ProcessOutcome, 'process'> {
  readonly executor: string
}

/** A right to join the colony as a new executor, a number of times and until an end. */
export interface BootstrapTokenSpec {
  readonly executorType: string
  readonly uses: number
  /** No executor joins after this time. */
  readonly expiresAt: string
  /** Whether an executor that joined waits until somebody approves it. */
  readonly approval?: boolean
  /** The kinds of children that these executors may report, as `resource` or `resource.group`. */
  readonly children?: readonly string[]
}

export interface BootstrapTokenStatus {
  readonly used?: number
  readonly executors?: readonly string[]
}

export interface BootstrapToken extends ApiObject {
  readonly spec: BootstrapTokenSpec
  readonly status?: BootstrapTokenStatus
}

/** `POST bootstraptokens/{name}/join`, with the secret of the bootstrap token as bearer token. */
export interface JoinRequest {
  /** The name of the new executor. 409 when there is an account for it. Default: the type and five random letters. */
  readonly name?: string
}

export interface JoinResponse {
  readonly executor: string
  readonly colony: string
  readonly type: string
  /** False when the executor waits until somebody approves it: its calls get 403 until then. */
  readonly approved: boolean
  /** Its own token. `POST serviceaccounts/executor-NAME/token` renews it. */
  readonly token: string
  readonly expiresAt: string
}

/** On a resource of a handled kind, and on the Processes made for it. */
export const HANDLER_ANNOTATION = 'colonies.io/handler'
export const HANDLER_FINALIZER = 'colonies.io/handler'
/** On a resource: a new value asks for a reconcile now. A value that begins with `force` sets `force` in the kwargs. */
export const RECONCILE_ANNOTATION = 'colonies.io/reconcile'
/** On a Process for a resource: why the colony created it. */
export const TRIGGER_ANNOTATION = 'colonies.io/cause'
/** On a namespace: the value "true" pauses its queue, so that nothing is assigned. */
export const PAUSED_ANNOTATION = 'colonies.io/paused'
/** On a namespace: how many of its Processes may wait. Default 100,000. */
export const MAX_WAITING_ANNOTATION = 'colonies.io/max-waiting'
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
  /** Seconds after which a resource is reconciled again without a change. If absent or 0, only changes are reconciled. */
  readonly reconcileInterval?: number
  /** The `spec.conditions.location` of its Processes. */
  readonly location?: string
  /** Paths into a resource, such as `.spec.location`: the first that leads to a text demands that location instead. */
  readonly locationFrom?: readonly string[]
  /** Paths likewise: the first text demands that software of the executor. */
  readonly softwareFrom?: readonly string[]
  /** The finalizer of its resources until they are cleaned up. Default `colonies.io/handler`. */
  readonly finalizer?: string
}
