// Compares what clients were answered with the model. The order is that of revisions: each change of the log must be
// one operation's doing, and each answer that changed nothing must have been right at some revision meanwhile. Pure.

import type { WatchedEvent } from '../watch-reader.ts'
import { type Note, stateOf } from './client.ts'
import { next, type State } from './model.ts'

/** The states of one name, oldest first. */
type Past = { readonly revision: number; readonly state: State | undefined }[]

export function verify(notes: readonly Note[], events: readonly WatchedEvent[]): string[] {
  const pasts = Map.groupBy(events, ({ object }) => object.metadata.name ?? '')
  const wrong: string[] = []
  for (const [name, mine] of Map.groupBy(notes, (note) => note.name)) {
    const past: Past = [
      { revision: 0, state: undefined },
      ...(pasts.get(name) ?? []).map(({ type, object }) => ({
        revision: Number(object.metadata.resourceVersion),
        state: type === 'DELETED' ? undefined : stateOf(object),
      })),
    ]
    const explained = new Set<number>()
    // Those that may have found nothing to do come last: somebody else may have made the change they speak of.
    const [sure, unsure] = [mine.filter((note) => !wasUnchanged(note, past)), mine.filter((n) => wasUnchanged(n, past))]
    for (const note of sure) wrong.push(...verifyNote(note, past, explained))
    for (const note of unsure) if (changeMadeBy(note, past, explained)) verifyNote(note, past, explained)
    for (const { revision } of past.slice(1))
      if (!explained.has(revision)) wrong.push(`${name}: nobody made the change at ${revision}`)
  }
  return wrong
}

function verifyNote(note: Note, past: Past, explained: Set<number>): string[] {
  const says = `${note.name}: ${JSON.stringify(note.operation)} (version ${note.sent}) answered ${note.code} ${note.reason ?? ''}`
  if (note.code >= 300) return wasRefused(note, past) ? [] : [`${says}, which was right at no moment`]
  const at = changeMadeBy(note, past, explained)
  const before = at === undefined ? undefined : past[at - 1]
  const after = at === undefined ? undefined : past[at]
  if (before === undefined || after === undefined) return [`${says}, but nothing of it is in the log`]
  const outcome = next(before.state, note.operation, note.sent === before.revision)
  if (outcome.type !== 'changed') return [`${says} at ${after.revision}, but the model says ${JSON.stringify(outcome)}`]
  const expected =
    outcome.next === undefined ? undefined : { ...outcome.next, uid: outcome.next.uid || after.state?.uid }
  if (!same(expected, after.state))
    return [
      `${says} and made ${JSON.stringify(after.state)} at ${after.revision} instead of ${JSON.stringify(expected)}`,
    ]
  explained.add(after.revision)
  return []
}

/** The place in the past of the change this answer speaks of. A deletion is known by the object it deleted. */
function changeMadeBy(note: Note, past: Past, explained: ReadonlySet<number>): number | undefined {
  const revision = Number(note.object?.metadata.resourceVersion ?? 0)
  const at = past.findIndex((entry, index) =>
    note.deletedUid === undefined
      ? entry.revision === revision && index > 0
      : entry.state === undefined && past[index - 1]?.state?.uid === note.deletedUid,
  )
  const found = past[at]
  // An answer with an older revision changed nothing: it repeats what was there.
  return found === undefined || found.revision <= note.low || explained.has(found.revision) ? undefined : at
}

function wasUnchanged(note: Note, past: Past): boolean {
  const revision = Number(note.object?.metadata.resourceVersion ?? 0)
  return momentsOf(note, past).some(
    (entry) =>
      entry.revision === revision &&
      next(entry.state, note.operation, note.sent === entry.revision).type === 'unchanged',
  )
}

function wasRefused(note: Note, past: Past): boolean {
  return momentsOf(note, past).some((entry) => {
    const outcome = next(entry.state, note.operation, note.sent === entry.revision)
    return outcome.type === 'refused' && outcome.reason === note.reason
  })
}

/** The states that the server may have decided on. */
function momentsOf({ low, high }: Note, past: Past): Past {
  const first = past.findLastIndex((entry) => entry.revision <= low)
  return past.slice(Math.max(first, 0)).filter((entry) => entry.revision <= high)
}

function same(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a, KEYS) === JSON.stringify(b, KEYS)
}

const KEYS = ['uid', 'generation', 'size', 'phase', 'label', 'finalizers', 'deleting', '0', '1']
