// The outcome of a reconcile, and the conditions and events that report it.

import { messageOf } from '@homeostat/base'
import { milliseconds } from '@homeostat/meta'
import type { Fight, ObservedOutcome } from './companions.ts'
import { fightCondition } from './fight-condition.ts'
import { isTerminal, isWaiting } from './outcome.ts'
import type { EventInput, ObjectRef, Outcome } from './reconcile-context.ts'
import { refusedRight, refusedText } from './refused-right.ts'
import type { StatusDraft } from './status-draft.ts'

export interface RunOutcome extends ObservedOutcome {
  /** Milliseconds until the requested next reconcile. */
  readonly again?: number | undefined
  /** Settles when a behaviour that ignored its abort has ended; the key stays busy until then. */
  readonly stuck?: Promise<void> | undefined
}

/** An object that a reconcile applied and another manager keeps changing back. */
export interface FoughtOver {
  readonly ref: ObjectRef
  readonly fight: Fight
}

export function returnedOutcome(outcome: Outcome): RunOutcome {
  const after = outcome?.requeueAfter
  return after === undefined ? { result: 'success' } : { result: 'success', again: milliseconds(after) }
}

export function thrownOutcome(error: unknown): RunOutcome {
  if (isTerminal(error)) return { result: 'terminal', error }
  if (!isWaiting(error)) return { result: 'error', error }
  const { retryAfter } = error
  try {
    return { result: 'waiting', error, again: retryAfter === undefined ? undefined : milliseconds(retryAfter) }
  } catch (wrong) {
    return { result: 'error', error: wrong }
  }
}

export function reasonOf(error: unknown, work: 'Reconcile' | 'Cleanup'): string {
  if (isWaiting(error) || isTerminal(error)) return error.reason
  return refusedRight(error) === undefined ? `${work}Failed` : 'Forbidden'
}

/** The server's words, and what they mean for somebody who runs the operator. */
function messageFor(error: unknown): string {
  const refused = isWaiting(error) || isTerminal(error) ? undefined : refusedRight(error)
  return refused === undefined ? messageOf(error) : `${messageOf(error)}: ${refusedText(refused)}`
}

/** Truncates longer messages: the server would refuse the whole status. */
const MAX_MESSAGE = 32_768

/** Sets the conditions from the outcome. After a success, a Ready that the reconcile set itself is kept. */
export function reportOutcome(draft: StatusDraft, { result, error }: RunOutcome, work: 'Reconcile' | 'Cleanup'): void {
  draft.observe()
  if (draft.has('Paused')) draft.remove('Paused')
  if (result === 'success') {
    if (!draft.isSet('Ready')) draft.setCondition('Ready', { status: 'True', reason: 'Reconciled' })
    return
  }
  draft.setCondition('Ready', {
    status: 'False',
    reason: reasonOf(error, work),
    message: messageFor(error).slice(0, MAX_MESSAGE),
  })
}

/** The Event for an outcome: a failure once, not at each retry; otherwise a change of Ready or its reason. */
export function outcomeEvent(
  draft: StatusDraft,
  { result }: RunOutcome,
  work: 'Reconcile' | 'Cleanup',
): EventInput | undefined {
  const [before, now] = [draft.stored('Ready'), draft.get('Ready')]
  if (now === undefined) return undefined
  const { status, reason, message } = now
  const isKnown = before?.status === status && (status === 'True' || before.reason === reason)
  if (result === 'error' || result === 'terminal') {
    return isKnown && before.message === message ? undefined : { type: 'Warning', reason, message, action: work }
  }
  // Without stored conditions every reconcile would look like a change.
  if (isKnown || !draft.keepsConditions) return undefined
  if (status === 'True') return { reason: 'Ready', message: message || 'it is as it shall be', action: work }
  return { reason, message, action: work }
}

export function reportFights(draft: StatusDraft, fights: readonly FoughtOver[]): void {
  const [first] = fights
  if (first !== undefined) draft.setCondition('Fighting', fightCondition(first.ref, first.fight))
  else if (draft.has('Fighting')) draft.remove('Fighting')
}
