// Turns the reports of a custom resource's parts into conditions and an outcome. Pure.

import { messageOf } from '@homeostat/base'
import { isTerminal, isWaiting, terminal, waiting } from '../runtime/outcome.ts'
import type { ConditionInput } from '../runtime/reconcile-context.ts'

export interface SubresourceResult {
  ready: boolean
  /** Work is in progress; the next change is expected soon. */
  syncing?: boolean | undefined
  /** The part failed: the reconcile is retried with backoff. */
  failed?: boolean | undefined
  /** A CamelCase word, for programs. */
  reason?: string | undefined
  message?: string | undefined
}

/** The report of a part; `error` when it threw. */
export interface Subresource {
  readonly name: string
  readonly result: SubresourceResult
  readonly error?: unknown
}

/** Failed parts fail the reconcile, so that it is retried. */
export class SubresourceError extends Error {
  constructor(failed: readonly Subresource[]) {
    super(summary(failed), { cause: failed.find((part) => part.error !== undefined)?.error })
    this.name = 'SubresourceError'
  }
}

export function thrownSubresource(name: string, error: unknown): Subresource {
  const message = messageOf(error)
  if (isWaiting(error)) return { name, result: { ready: false, reason: error.reason, message }, error }
  const reason = isTerminal(error) ? error.reason : 'Failed'
  return { name, result: { ready: false, failed: true, reason, message }, error }
}

/** The report of a part that has not finished yet. */
export function unfinishedSubresource(name: string): Subresource {
  const message = 'reconcile() ended before this part did: await reconcileSubresource()'
  return { name, result: { ready: false, failed: true, reason: 'NotAwaited', message } }
}

export function subresourceCondition({ ready, syncing, failed, reason, message }: SubresourceResult): ConditionInput {
  const standard = ready ? 'Ready' : failed ? 'Failed' : syncing ? 'Syncing' : 'Pending'
  return { status: ready ? 'True' : 'False', reason: reason ?? standard, message: message ?? '' }
}

/** Ready when all parts are; otherwise the reason of the first that is not, and the messages of all that are not. */
export function aggregateReady(parts: readonly Subresource[]): ConditionInput {
  const missing = parts.filter((part) => !part.result.ready)
  const first = missing.find((part) => part.result.failed) ?? missing[0]
  if (!first) return { status: 'True', reason: 'Ready', message: 'All subresources are ready' }
  return { ...subresourceCondition(first.result), message: summary(missing) }
}

/** The outcome that the parts require: retry, waiting or terminal; undefined when none does. */
export function subresourceOutcome(parts: readonly Subresource[]): Error | undefined {
  const failed = parts.filter((part) => part.result.failed && !isTerminal(part.error))
  if (failed.length > 0) return new SubresourceError(failed)
  for (const { name, error } of parts) {
    if (!isWaiting(error)) continue
    const { reason, retryAfter } = error
    return waiting(reason, `${name}: ${error.message}`, retryAfter === undefined ? {} : { retryAfter })
  }
  const hopeless = parts.find((part) => isTerminal(part.error))
  return hopeless && terminal(new SubresourceError([hopeless]), hopeless.result.reason)
}

function summary(parts: readonly Subresource[]): string {
  return parts.map(({ name, result }) => `${name}: ${result.message || subresourceCondition(result).reason}`).join('; ')
}
