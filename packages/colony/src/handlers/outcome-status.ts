// The status of a resource after an attempt. Pure: the current status and the outcome in, the next status out. The status
// that the executor reports is applied separately, before this.

import type { ProcessOutcome } from '@homeostat/executor/protocol'
import { type Condition, findCondition, rfc3339, setCondition } from '@homeostat/meta'

export interface ResourceStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly [field: string]: unknown
}

export type AttemptOutcome =
  | { readonly result: 'Succeeded' }
  /** `again` means that the Process is retried. */
  | { readonly result: 'Failed'; readonly again: boolean; readonly reason: string; readonly message: string }

export interface EndedAttempt {
  readonly outcome: AttemptOutcome
  /** The generation that the attempt reconciled. */
  readonly attemptedGeneration: number
  /** The generation of the resource now. */
  readonly generation: number
  /** Whether the executor's own status has a condition Ready, which the colony then leaves alone. */
  readonly ownReady: boolean
}

export function attemptOutcomeOf({ result, retryable, errors }: ProcessOutcome): AttemptOutcome | undefined {
  if (result === 'Succeeded') return { result }
  if (result === 'Cancelled') return undefined
  const message = errors?.[0] ?? 'the executor gave no reason'
  return { result: 'Failed', again: retryable !== false, reason: 'Failed', message: shortened(message) }
}

/** Returns `status` itself when nothing changes. */
export function statusAfterAttempt(status: ResourceStatus, attempt: EndedAttempt, now: number): ResourceStatus {
  const { outcome, attemptedGeneration, generation, ownReady } = attempt
  const over = outcome.result === 'Succeeded' || !outcome.again
  const ready = outcome.result === 'Succeeded' ? RECONCILED : { status: 'False' as const, ...reasonOf(outcome) }
  let conditions: readonly Condition[] = status.conditions ?? []
  const setValue = (type: string, value: ConditionValue) => {
    conditions = setCondition(conditions, { type, ...value, observedGeneration: attemptedGeneration }, now)
  }
  if (!ownReady) setValue('Ready', ready)
  if (over && attemptedGeneration === generation)
    setValue('Progressing', { ...(outcome.result === 'Failed' ? reasonOf(outcome) : RECONCILED), status: 'False' })
  else if (!over) setValue('Progressing', { ...reasonOf(outcome), status: 'True', reason: 'Retrying' })
  const observedGeneration = over ? attemptedGeneration : status.observedGeneration
  if (conditions === status.conditions && observedGeneration === status.observedGeneration) return status
  return { ...status, ...(observedGeneration !== undefined && { observedGeneration }), conditions }
}

type ConditionValue = Pick<Condition, 'status' | 'reason' | 'message'>

const RECONCILED: ConditionValue = { status: 'True', reason: 'Reconciled', message: '' }

function reasonOf(outcome: AttemptOutcome): Pick<Condition, 'reason' | 'message'> {
  return outcome.result === 'Failed' ? { reason: outcome.reason, message: outcome.message } : RECONCILED
}

/** Sets Progressing while a Process for the newest generation waits or runs; undefined when it is set already. */
export function progressing(
  status: ResourceStatus,
  generation: number,
  value: Pick<Condition, 'reason' | 'message'>,
  now: number,
): ResourceStatus | undefined {
  const old = findCondition(status.conditions, 'Progressing')
  if (old?.status === 'True' && old.observedGeneration === generation) return undefined
  const next = { type: 'Progressing', status: 'True' as const, ...value, observedGeneration: generation }
  return { ...status, conditions: setCondition(status.conditions, next, now) }
}

/** The executor's status in the form that is applied, or a message that says what is wrong with it. */
export function executorStatus(reported: unknown, live: ResourceStatus, now: number): Record<string, unknown> | string {
  if (typeof reported !== 'object' || reported === null || Array.isArray(reported)) return 'status must be an object'
  const { observedGeneration: _, conditions, ...fields } = reported as Record<string, unknown>
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

/** lastTransitionTime changes only with the condition's status, whatever an executor reports. */
function withTime(condition: Condition, live: ResourceStatus, now: number): Condition {
  const old = findCondition(live.conditions, condition.type)
  if (old?.status === condition.status && old.lastTransitionTime !== undefined) {
    return { ...condition, lastTransitionTime: old.lastTransitionTime }
  }
  return { ...condition, lastTransitionTime: condition.lastTransitionTime ?? rfc3339(now) }
}

const MAX_MESSAGE = 1024

function shortened(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}
