// The status after an attempt, either back to Waiting or ended, and the times in it. The transitions decide which and call
// these functions.

import type { PastAttempt, Phase, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { type Condition, LAST_TIME, rfc3339, setCondition } from '@homeostat/meta'

/** Reasons of the condition that a Process ends with. They also show who ended it. */
export const REASONS = {
  succeeded: 'Succeeded',
  failed: 'ExecutorFailed',
  cancelledByExecutor: 'CancelledByExecutor',
  cancelled: 'Cancelled',
  execExceeded: 'ExecTimeExceeded',
  waitExceeded: 'WaitTimeExceeded',
  executorLost: 'ExecutorLost',
} as const

const MAX_MESSAGE = 1024

export interface Why {
  readonly reason: string
  readonly errors: readonly string[] | undefined
}

export interface End extends Why {
  readonly phase: Exclude<Phase, 'Waiting' | 'Running'>
}

export function ended(status: ProcessStatus, { phase, reason, errors }: End, now: number): ProcessStatus {
  const type = phase === 'Succeeded' ? 'Complete' : 'Failed'
  const message = phase === 'Succeeded' ? '' : (errors?.[0] ?? '').slice(0, MAX_MESSAGE)
  const { errors: _, ...kept } = withoutTimes(status)
  return {
    ...kept,
    phase,
    ...(errors?.length && { errors }),
    finishedAt: new Date(now).toISOString(),
    conditions: endCondition(status.conditions, { type, status: 'True', reason, message }, now),
  }
}

/**
 * Back to Waiting, and not before the pause is over. The executor stays in the status only when it gave the Process back
 * itself: this distinguishes a repeated close from a late one.
 */
export function requeued(
  spec: ProcessSpec,
  status: ProcessStatus,
  how: { errors: readonly string[] | undefined; pause: number | undefined; keepExecutor: boolean },
  now: number,
): ProcessStatus {
  const { errors: _, startedAt: __, executor: ___, ...rest } = withoutTimes(status)
  const start = Math.min(now + (how.pause ?? 0), LAST_TIME)
  const waitDeadline = timeAfter(start, spec.maxWaitSeconds)
  return {
    ...rest,
    phase: 'Waiting',
    ...(how.keepExecutor && status.executor !== undefined && { executor: status.executor }),
    ...(how.errors?.length && { errors: how.errors }),
    ...(how.pause !== undefined && { notBefore: new Date(start).toISOString() }),
    ...(waitDeadline && { waitDeadline }),
  }
}

const MAX_PAST = 10
const MAX_PAST_ERROR = 256

/** The attempts that failed, with the one that has just done so: what became of each is gone from the rest of the status. */
export function withPast(status: ProcessStatus, error: string | undefined, now: number): readonly PastAttempt[] {
  const { attempt, executor, startedAt, pastAttempts } = status
  const past: PastAttempt = {
    attempt,
    ...(executor !== undefined && { executor }),
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: new Date(now).toISOString(),
    ...(error !== undefined && { error: error.slice(0, MAX_PAST_ERROR) }),
  }
  // A status may hold anything that its schema let in before.
  return [...(Array.isArray(pastAttempts) ? pastAttempts : []), past].slice(-MAX_PAST)
}

export function retriesOf({ retries }: ProcessStatus): number {
  return Number.isSafeInteger(retries) ? Math.max(0, retries ?? 0) : 0
}

/**
 * Undefined without a number of seconds, and for a time after LAST_TIME, which cannot be written. Specs from before there
 * was a limit may hold a bigint.
 */
export function timeAfter(start: number, seconds: number | bigint | undefined): string | undefined {
  if (!seconds || seconds < 0) return undefined
  const end = start + Number(seconds) * 1000
  return end > LAST_TIME ? undefined : new Date(end).toISOString()
}

/** RFC 3339 with six digits, from whole microseconds. Milliseconds with a fraction would lose precision. */
export function micros(time: number): string {
  const seconds = Math.floor(time / 1e6)
  const fraction = String(Math.floor(time - seconds * 1e6)).padStart(6, '0')
  return `${rfc3339(seconds * 1000).slice(0, -1)}.${fraction}Z`
}

/** A copy without the times of the current phase. `delete` would turn the object into a slow dictionary in V8. */
export function withoutTimes(status: ProcessStatus): ProcessStatus {
  const { notBefore: _, waitDeadline: __, execDeadline: ___, finishedAt: ____, ...kept } = status
  return kept
}

/** A Process has one end: a Complete or Failed that a user wrote by hand is replaced. */
function endCondition(
  conditions: readonly Condition[] | undefined,
  next: Omit<Condition, 'lastTransitionTime'>,
  now: number,
): Condition[] {
  const others = (conditions ?? []).filter(({ type }) => type !== 'Complete' && type !== 'Failed')
  return setCondition(others, next, now)
}
