// What the parts of a custom resource reported, as conditions and as the end of the run. Pure.

import { messageOf } from '@homeostat/base'
import { Terminal, terminal, Waiting, waiting } from '../runtime/outcome.ts'
import type { ConditionInput } from '../runtime/run.ts'

export interface SubresourceResult {
  ready: boolean
  /** Work is under way; the next change is expected soon. */
  syncing?: boolean | undefined
  /** It went wrong: the run is tried again with growing delay. */
  failed?: boolean | undefined
  /** One word in CamelCase, for programs. */
  reason?: string | undefined
  message?: string | undefined
}

/** What a part came to in a run; `error` when it threw. */
export interface Subresource {
  readonly name: string
  readonly result: SubresourceResult
  readonly error?: unknown
}

/** Parts that failed make the run fail, so that it is tried again. */
export class SubresourceError extends Error {
  constructor(failed: readonly Subresource[]) {
    super(summary(failed), { cause: failed.find((part) => part.error !== undefined)?.error })
    this.name = 'SubresourceError'
  }
}

export function thrownSubresource(name: string, error: unknown): Subresource {
  const message = messageOf(error)
  if (error instanceof Waiting) return { name, result: { ready: false, reason: error.reason, message }, error }
  const reason = error instanceof Terminal ? error.reason : 'Failed'
  return { name, result: { ready: false, failed: true, reason, message }, error }
}

/** What counts until the part has reported. */
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

/** How the run has to end because of its parts: tried again, waiting, never; undefined when none of them asks for it. */
export function subresourceOutcome(parts: readonly Subresource[]): Error | undefined {
  const failed = parts.filter((part) => part.result.failed && !(part.error instanceof Terminal))
  if (failed.length > 0) return new SubresourceError(failed)
  for (const { name, error } of parts) {
    if (!(error instanceof Waiting)) continue
    const { reason, retryAfter } = error
    return waiting(reason, `${name}: ${error.message}`, retryAfter === undefined ? {} : { retryAfter })
  }
  const hopeless = parts.find((part) => part.error instanceof Terminal)
  return hopeless && terminal(new SubresourceError([hopeless]), hopeless.result.reason)
}

function summary(parts: readonly Subresource[]): string {
  return parts.map(({ name, result }) => `${name}: ${result.message || subresourceCondition(result).reason}`).join('; ')
}
