// What the outcome of a run says about its resource. Pure: the current status and the outcome in, the next status out. The
// status that the executor reports is written separately, before this.

import type { ProcessOutcome } from '@homeostat/executor/protocol'
import { type Condition, findCondition, rfc3339, setCondition } from '@homeostat/meta'

export interface ResourceStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly [field: string]: unknown
}

export type RunOutcome =
  | { readonly result: 'Succeeded' }
  /** `again`: it will be retried as it is. */
  | { readonly result: 'Failed'; readonly again: boolean; readonly reason: string; readonly message: string }

export interface Concluded {
  readonly runOutcome: RunOutcome
  /** The generation that the run was about. */
  readonly ran: number
  /** The generation of the resource now. */
  readonly generation: number
  /** Whether the executor's own status has a condition Ready: that one stands. */
  readonly ownReady: boolean
}

export function runOutcomeOf({ result, retryable, errors }: ProcessOutcome): RunOutcome | undefined {
  if (result === 'Succeeded') return { result }
  if (result === 'Cancelled') return undefined
  const message = errors?.[0] ?? 'the executor gave no reason'
  return { result: 'Failed', again: retryable !== false, reason: 'Failed', message: shortened(message) }
}

/** The same value when nothing changes. */
export function concludedStatus(status: ResourceStatus, concluded: Concluded, now: number): ResourceStatus {
  const { runOutcome, ran, generation, ownReady } = concluded
  const over = runOutcome.result === 'Succeeded' || !runOutcome.again
  const ready = runOutcome.result === 'Succeeded' ? RECONCILED : { status: 'False' as const, ...words(runOutcome) }
  let conditions: readonly Condition[] = status.conditions ?? []
  const say = (type: string, said: Said) => {
    conditions = setCondition(conditions, { type, ...said, observedGeneration: ran }, now)
  }
  if (!ownReady) say('Ready', ready)
  if (over && ran === generation)
    say('Progressing', { ...(runOutcome.result === 'Failed' ? words(runOutcome) : RECONCILED), status: 'False' })
  else if (!over) say('Progressing', { ...words(runOutcome), status: 'True', reason: 'Retrying' })
  const observedGeneration = over ? ran : status.observedGeneration
  if (conditions === status.conditions && observedGeneration === status.observedGeneration) return status
  return { ...status, ...(observedGeneration !== undefined && { observedGeneration }), conditions }
}

type Said = Pick<Condition, 'status' | 'reason' | 'message'>

const RECONCILED: Said = { status: 'True', reason: 'Reconciled', message: '' }

function words(runOutcome: RunOutcome): Pick<Condition, 'reason' | 'message'> {
  return runOutcome.result === 'Failed' ? { reason: runOutcome.reason, message: runOutcome.message } : RECONCILED
}

/** What is said while a run of the newest generation is on its way; undefined when it is said already. */
export function progressing(
  status: ResourceStatus,
  generation: number,
  said: Pick<Condition, 'reason' | 'message'>,
  now: number,
): ResourceStatus | undefined {
  const old = findCondition(status.conditions, 'Progressing')
  if (old?.status === 'True' && old.observedGeneration === generation) return undefined
  const next = { type: 'Progressing', status: 'True' as const, ...said, observedGeneration: generation }
  return { ...status, conditions: setCondition(status.conditions, next, now) }
}

/** The executor's status in the form in which it is applied, or what is wrong with it. */
export function executorStatus(said: unknown, live: ResourceStatus, now: number): Record<string, unknown> | string {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return 'status must be an object'
  const { observedGeneration: _, conditions, ...fields } = said as Record<string, unknown>
  if (conditions === undefined) return fields
  const isCondition = (one: unknown) => {
    const { type, status } = (one ?? {}) as Record<string, unknown>
    return typeof type === 'string' && type !== '' && typeof status === 'string'
  }
  if (!Array.isArray(conditions) || !conditions.every(isCondition)) {
    return 'status.conditions must be a list of objects with a type and a status'
  }
  return { ...fields, conditions: conditions.map((one: Condition) => withTime(one, live, now)) }
}

/** The time of a condition is that of its last change, whatever an executor says. */
function withTime(condition: Condition, live: ResourceStatus, now: number): Condition {
  const old = findCondition(live.conditions, condition.type)
  if (old?.status === condition.status && old.lastTransitionTime !== undefined) {
    return { ...condition, lastTransitionTime: old.lastTransitionTime }
  }
  return { ...condition, lastTransitionTime: condition.lastTransitionTime ?? rfc3339(now) }
}

const LONGEST = 1024

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
