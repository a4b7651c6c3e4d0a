// Turns the outcome of a run into the outcome of the attempt that a colony assigned. Pure.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { PermanentError } from '@homeostat/executor'
import type { Condition } from '@homeostat/meta'
import { INVALID_SPEC } from '../definition/accepted-spec.ts'
import { isTerminal, type RunOutcome } from '../runtime/run-outcome.ts'
import type { StatusFields } from '../runtime/status-draft.ts'

export type AttemptOutcome =
  /** Milliseconds until the process is to be assigned again. */
  { readonly requeueAfter: number | undefined } | { readonly error: unknown }

interface FinishedRun {
  readonly object: ApiObject
  readonly outcome: RunOutcome
  /** What the run says of its object; undefined when it says nothing. */
  readonly status: StatusFields | undefined
  /** Another run was asked for while this one went on. */
  readonly queued: boolean
  /** Milliseconds until the next look at something that is waited for: nobody tells a colony when it is there. */
  readonly patience: () => number
}

/** The shortest time that an executor may ask for. */
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

/** It did what it could, and would be woken by a change of what it read if it were watching. */
function isUnready(status: StatusFields | undefined): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status !== 'True') ?? false
}

/** A spec that was never accepted has made nothing that could be cleaned up. */
function isLeavingUnaccepted({ metadata, ...object }: ApiObject, error: unknown): boolean {
  if (metadata.deletionTimestamp === undefined || !isTerminal(error) || error.reason !== INVALID_SPEC) return false
  const { status } = object as { status?: { conditions?: readonly Condition[] } }
  const accepted = status?.conditions?.find(({ type }) => type === 'Accepted')
  return accepted === undefined || (accepted.status === 'False' && accepted.reason === INVALID_SPEC)
}
