// Converts the outcome of a reconcile into the outcome of the attempt that a colony assigned. Pure.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { PermanentError } from '@homeostat/executor'
import type { Condition } from '@homeostat/meta'
import { INVALID_SPEC } from '../definition/accepted-spec.ts'
import { isTerminal } from '../runtime/outcome.ts'
import type { RunOutcome } from '../runtime/run-outcome.ts'
import type { StatusFields } from '../runtime/status-draft.ts'

export type AttemptOutcome =
  /** Milliseconds until the process is assigned again. */
  { readonly requeueAfter: number | undefined } | { readonly error: unknown }

interface FinishedRun {
  readonly object: ApiObject
  readonly outcome: RunOutcome
  /** The status that the reconcile reported; undefined when it reported none. */
  readonly status: StatusFields | undefined
  /** Another reconcile was requested during this one. */
  readonly queued: boolean
  /** Milliseconds until the next check while the object waits: a colony does not know when the dependency is ready. */
  readonly patience: () => number
}

/** The shortest delay that an executor may request. */
const SOONEST_MS = 100

export function attemptOutcome({ object, outcome, status, queued, patience }: FinishedRun): AttemptOutcome {
  const { result, error, again } = outcome
  if (result === 'terminal') {
    if (isLeavingUnaccepted(object, error)) return { requeueAfter: undefined }
    return { error: new PermanentError(messageOf(error), { cause: error }) }
  }
  if (result === 'error' || result === 'aborted') return { error }
  if (queued) return { requeueAfter: SOONEST_MS }
  const ms = again ?? (result === 'waiting' || isUnready(status) ? patience() : undefined)
  return { requeueAfter: ms }
}

/** Not ready although the reconcile succeeded. A watching operator would be queued by a change of what it read. */
function isUnready(status: StatusFields | undefined): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status !== 'True') ?? false
}

/** A spec that was never accepted created nothing that needs cleanup. */
function isLeavingUnaccepted({ metadata, ...object }: ApiObject, error: unknown): boolean {
  if (metadata.deletionTimestamp === undefined || !isTerminal(error) || error.reason !== INVALID_SPEC) return false
  const { status } = object as { status?: { conditions?: readonly Condition[] } }
  const accepted = status?.conditions?.find(({ type }) => type === 'Accepted')
  return accepted === undefined || (accepted.status === 'False' && accepted.reason === INVALID_SPEC)
}
