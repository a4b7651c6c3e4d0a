// What a change of a controlled object means to its author, in a few words: created, ready, not ready and why. Pure.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import { type Condition, findCondition } from '@homeostat/meta'
import { objectName } from './log-entry.ts'
import type { ScreenLine } from './screen.ts'

interface WithConditions extends ApiObject {
  readonly status?: { readonly conditions?: readonly Condition[] | null } | null
}

/** `Site default/blog` */
export function nameOf({ kind, metadata: { namespace, name } }: ApiObject): string {
  return objectName(kind, namespace, name) ?? kind
}

/** Undefined for a change that need not be shown: an object that was there before and is ready, or a change of its status. */
export function objectLine({ type, object, previous, initial }: InformerEvent<ApiObject>): ScreenLine | undefined {
  if (type === 'deleted') return { text: 'gone', tone: 'quiet' }
  const ready = readyOf(object)
  if (initial) return ready?.status === 'False' ? readyLine(ready) : undefined
  if (previous === undefined) return ready === undefined ? { text: 'created' } : readyLine(ready)
  const [now, before] = [object.metadata, previous.metadata]
  if (now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined) {
    const held = now.finalizers?.length ? { aside: `held by ${now.finalizers.join(', ')}` } : {}
    return { text: 'being deleted', ...held }
  }
  if (ready !== undefined && differs(ready, readyOf(previous))) return readyLine(ready)
  if (now.generation !== before.generation) return { text: 'changed', aside: `generation ${now.generation}` }
  return undefined
}

function readyOf(object: WithConditions): Condition | undefined {
  return findCondition([...(object.status?.conditions ?? [])], 'Ready')
}

function differs(now: Condition, before: Condition | undefined): boolean {
  if (now.status !== before?.status) return true
  return now.status !== 'True' && (now.reason !== before.reason || now.message !== before.message)
}

function readyLine({ status, reason, message }: Condition): ScreenLine {
  if (status === 'True') return { text: 'ready', tone: 'good', isState: true }
  const why = message ? `: ${message}` : ''
  return { text: `not ready, ${reason}${why}`, tone: 'busy', isState: true }
}
