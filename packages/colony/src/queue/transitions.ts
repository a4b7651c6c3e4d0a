// The transitions of a Process: its next status, from its spec and its committed status. The server calls these under the
// object's lock. A caller may be late, so each function checks first whether its transition still applies.

import type { ProcessOutcome, ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import { attemptOf, phaseOf, time } from './process-facts.ts'
import {
  ended,
  micros,
  REASONS,
  requeued,
  retriesOf,
  timeAfter,
  type Why,
  withoutTimes,
  withPast,
} from './status-steps.ts'

export const WAIT_EXCEEDED = 'Maximum waiting time limit exceeded'
export const EXEC_EXCEEDED = 'Maximum execution time limit exceeded'

const DEFAULT_MAX_RETRIES = 3
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000

/** A transition that the committed state does not allow: the server responds with 409. */
export interface Refusal {
  readonly refused: true
  readonly reason: 'NotWaiting' | 'NotYet' | 'Cancelled' | 'Expired' | 'NotRunning' | 'OtherExecutor' | 'OtherAttempt'
  readonly message: string
}

export function isRefusal(step: ProcessStatus | Refusal | undefined): step is Refusal {
  return step !== undefined && 'refused' in step
}

/** The status that a Process begins with. */
export function submitted(spec: ProcessSpec, nowMicros: number): ProcessStatus {
  const waitDeadline = timeAfter(Math.floor(nowMicros / 1000), spec.maxWaitSeconds)
  return { phase: 'Waiting', submittedAt: micros(nowMicros), attempt: 0, ...(waitDeadline && { waitDeadline }) }
}

export function assigned(
  spec: ProcessSpec,
  status: ProcessStatus,
  executor: string,
  now: number,
): ProcessStatus | Refusal {
  if (phaseOf(status) !== 'Waiting') return refuse('NotWaiting', `the Process ${whereItIs(status)}`)
  if (spec.cancel) return refuse('Cancelled', 'the Process is to be cancelled')
  if (isLater(status.notBefore, now)) return refuse('NotYet', `the Process waits until ${status.notBefore}`)
  if (hasCome(status.waitDeadline, now)) return refuse('Expired', `the Process had to start by ${status.waitDeadline}`)
  const execDeadline = timeAfter(now, spec.maxExecSeconds)
  return {
    ...withoutTimes(status),
    phase: 'Running',
    attempt: attemptOf(status) + 1,
    executor,
    startedAt: new Date(now).toISOString(),
    ...(execDeadline && { execDeadline }),
  }
}

/** The executor reports the outcome of its attempt. Undefined for a repeated close: there is nothing to write. */
export function attemptEnded(
  spec: ProcessSpec,
  status: ProcessStatus,
  executor: string,
  outcome: ProcessOutcome,
  now: number,
): ProcessStatus | Refusal | undefined {
  const refusal = refuseClose(status, executor, outcome.attempt)
  if (refusal) return isRepeated(status, executor, outcome) ? undefined : refusal
  const { errors, output, result, requeueAfter } = outcome
  const withOutput = { ...status, ...(output !== undefined && { output }) }
  if (result === 'Succeeded' && requeueAfter === undefined) {
    return ended(withOutput, { phase: 'Succeeded', reason: REASONS.succeeded, errors }, now)
  }
  if (spec.cancel || result === 'Cancelled') {
    return ended(withOutput, { phase: 'Cancelled', reason: REASONS.cancelledByExecutor, errors }, now)
  }
  if (result === 'Succeeded') {
    const pause = Math.max(0, (requeueAfter ?? 0) * 1000)
    return requeued(spec, { ...withOutput, retries: 0 }, { errors, pause, keepExecutor: true }, now)
  }
  const why = { reason: REASONS.failed, errors: errors?.length ? errors : ['The executor gave no reason'] }
  return failed(spec, withOutput, why, { retryable: outcome.retryable !== false, keepExecutor: true }, now)
}

/** The running attempt adds nodes to its graph. */
export function nodesAdded(
  status: ProcessStatus,
  executor: string,
  attempt: number,
  nodes: NonNullable<ProcessStatus['addedNodes']>,
): ProcessStatus | Refusal | undefined {
  if (!holds(status, executor, attempt)) {
    return refuse(
      'NotRunning',
      `executor ${executor} cannot add nodes in attempt ${attempt}: the Process ${whereItIs(status)}`,
    )
  }
  return nodes.length === 0 ? undefined : { ...status, addedNodes: [...(status.addedNodes ?? []), ...nodes] }
}

/** The attempt has exceeded maxExecSeconds. */
export function execExceeded(spec: ProcessSpec, status: ProcessStatus, now: number): ProcessStatus | undefined {
  if (phaseOf(status) !== 'Running' || !hasCome(status.execDeadline, now)) return undefined
  return interrupted(spec, status, { reason: REASONS.execExceeded, errors: [EXEC_EXCEEDED] }, now)
}

/** The executor was lost while it ran this attempt. */
export function executorLost(
  spec: ProcessSpec,
  status: ProcessStatus,
  executor: string,
  attempt: number,
  now: number,
): ProcessStatus | undefined {
  if (!holds(status, executor, attempt)) return undefined
  return interrupted(spec, status, { reason: REASONS.executorLost, errors: [`Executor ${executor} was lost`] }, now)
}

/** The executor never received this attempt. The Process is requeued, and this does not count as a failure. */
export function notHeld(
  spec: ProcessSpec,
  status: ProcessStatus,
  executor: string,
  attempt: number,
  now: number,
): ProcessStatus | undefined {
  if (!holds(status, executor, attempt)) return undefined
  if (spec.cancel) return cancelledEnd(status, now)
  return requeued(spec, status, { errors: status.errors, pause: undefined, keepExecutor: false }, now)
}

/** No executor took the Process within maxWaitSeconds. */
export function waitExceeded(spec: ProcessSpec, status: ProcessStatus, now: number): ProcessStatus | undefined {
  if (phaseOf(status) !== 'Waiting' || !hasCome(status.waitDeadline, now)) return undefined
  if (spec.cancel) return cancelledEnd(status, now)
  const errors = [WAIT_EXCEEDED, ...(status.errors ?? [])]
  return ended(status, { phase: 'Failed', reason: REASONS.waitExceeded, errors }, now)
}

/** Ends a Process whose spec has `cancel`. A running one goes on, unless `attempt` is the one whose grace period is over. */
export function cancelled(
  spec: ProcessSpec,
  status: ProcessStatus,
  now: number,
  attempt?: number,
): ProcessStatus | undefined {
  if (!spec.cancel || phaseOf(status) === 'Ended') return undefined
  if (phaseOf(status) === 'Running' && attemptOf(status) !== attempt) return undefined
  return cancelledEnd(status, now)
}

function cancelledEnd(status: ProcessStatus, now: number): ProcessStatus {
  return ended(status, { phase: 'Cancelled', reason: REASONS.cancelled, errors: status.errors }, now)
}

/** Ends an attempt whose executor did not close it. */
function interrupted(spec: ProcessSpec, status: ProcessStatus, why: Why, now: number): ProcessStatus {
  if (spec.cancel) return ended(status, { phase: 'Cancelled', ...why }, now)
  return failed(spec, status, why, { retryable: true, keepExecutor: false }, now)
}

function failed(
  spec: ProcessSpec,
  status: ProcessStatus,
  why: Why,
  { retryable, keepExecutor }: { readonly retryable: boolean; readonly keepExecutor: boolean },
  now: number,
): ProcessStatus {
  const retries = retriesOf(status)
  const maxRetries = spec.maxRetries ?? DEFAULT_MAX_RETRIES
  // The last failure is no retry, so `retries` never exceeds maxRetries.
  if (!retryable || (maxRetries >= 0 && retries >= maxRetries)) return ended(status, { phase: 'Failed', ...why }, now)
  const counted = { ...status, retries: retries + 1, pastAttempts: withPast(status, why.errors?.[0], now) }
  return requeued(spec, counted, { errors: why.errors, pause: backoff(retries), keepExecutor }, now)
}

function backoff(retries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS)
}

function refuseClose(status: ProcessStatus, executor: string, attempt: number): Refusal | undefined {
  if (holds(status, executor, attempt)) return undefined
  const asked = `executor ${executor} cannot close attempt ${attempt}: the Process ${whereItIs(status)}`
  if (phaseOf(status) !== 'Running') return refuse('NotRunning', asked)
  return refuse(status.executor === executor ? 'OtherAttempt' : 'OtherExecutor', asked)
}

/** A response can be lost, so an executor may send its outcome again. A lost executor is no longer in the status. */
function isRepeated(
  status: ProcessStatus,
  executor: string,
  { attempt, result, requeueAfter }: ProcessOutcome,
): boolean {
  if (status.executor !== executor || attemptOf(status) !== attempt || phaseOf(status) === 'Running') return false
  if (phaseOf(status) === 'Waiting') {
    return retriesOf(status) > 0 ? result === 'Failed' : result === 'Succeeded' && requeueAfter !== undefined
  }
  const reason = status.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')?.reason
  if (reason === REASONS.succeeded) return result === 'Succeeded' && requeueAfter === undefined
  if (reason === REASONS.failed) return result === 'Failed'
  return reason === REASONS.cancelledByExecutor && (result !== 'Succeeded' || requeueAfter !== undefined)
}

function whereItIs(status: ProcessStatus): string {
  const phase = phaseOf(status)
  const attempt = attemptOf(status)
  if (phase === 'Running') return `is run by executor ${status.executor} at attempt ${attempt}`
  if (phase === 'Ended') return `has ended as ${status.phase} at attempt ${attempt}`
  return attempt === 0 ? 'waits for its first attempt' : `waits for another attempt after attempt ${attempt}`
}

function holds(status: ProcessStatus, executor: string, attempt: number): boolean {
  return phaseOf(status) === 'Running' && status.executor === executor && attemptOf(status) === attempt
}

function refuse(reason: Refusal['reason'], message: string): Refusal {
  return { refused: true, reason, message }
}

// A value that is not a time is read as the queue reads it. Otherwise the queue would offer a Process again and again that
// is refused here.

function hasCome(at: string | undefined, now: number): boolean {
  return (time(at) ?? Infinity) <= now
}

function isLater(at: string | undefined, now: number): boolean {
  return (time(at) ?? 0) > now
}
