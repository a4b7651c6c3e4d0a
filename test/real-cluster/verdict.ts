// What is wrong with what the clients of a run were told, by the checkers that all tests of clusters share. Pure. A restored snapshot
// takes back what was acknowledged after it, so that there are two eras: each is judged by the changes that were true in it.

import { checkHistory } from '../cluster/checkers/check-history.ts'
import type { History, List, Operation } from '../cluster/checkers/operations.ts'
import type { LogEntry } from '../crash/checker.ts'
import { LEFT } from './follower.ts'

/** What the store held at `snapshot` goes on; what was written until `until` is lost. Times as those of operations. */
export interface Restored {
  readonly snapshot: number
  readonly until: number
  readonly from: number
  readonly to: number
}

export function verdictOn(history: History, restored: Restored | undefined): string[] {
  if (restored === undefined) return checkHistory(history).filter((wrong) => !isOfGivenUp(wrong))
  const [first, second] = eras(history, restored)
  // The restore may have met a watcher anywhere.
  const broken = checkHistory(first).filter((wrong) => !wrong.endsWith('the stream ends too early'))
  return [
    ...broken.map((wrong) => `before the snapshot was restored: ${wrong}`),
    ...checkHistory(second)
      .filter((wrong) => !isOfGivenUp(wrong))
      .map((wrong) => `after the snapshot was restored: ${wrong}`),
  ]
}

function isOfGivenUp(wrong: string): boolean {
  return wrong.includes(`${LEFT}: `) && wrong.endsWith('the stream ends too early')
}

/** What was not answered before the members ended and not sent after they were back may belong to either. */
export function eras(history: History, restored: Restored): [first: History, second: History] {
  const { snapshot, until, from, to } = restored
  const isFirst = (revision: number) => revision <= until
  const isLost = (revision: number) => revision > snapshot && revision <= until
  const lost = lostWrites(history.log, isLost)
  const isOld = ({ answeredAt = Number.POSITIVE_INFINITY }: { answeredAt: number | undefined }) => answeredAt < from
  const isNew = ({ sentAt }: { sentAt: number }) => sentAt > to
  // A server may still show its cache to those who do not ask for more.
  const listsOf = (isTheirs: (list: List) => boolean) =>
    history.lists.filter((list) => isTheirs(list) && (list.demands === 'newest' || isOld(list)))
  return [
    {
      log: history.log.filter(({ revision }) => isFirst(revision)),
      operations: history.operations.flatMap((one) => (isOld(one) ? [one] : isNew(one) ? [] : inDoubt(one))),
      lists: listsOf(isOld),
      streams: history.streams.filter((stream) => isFirst(stream.from)),
    },
    {
      log: history.log.filter(({ revision }) => !isLost(revision)),
      operations: history.operations.flatMap((one) => {
        if (isNew(one)) return one.action.verb === 'read' && one.action.demands === 'any' ? [] : [one]
        if (!isOld(one) || one.outcome.type !== 'done') return inDoubt(one)
        return lost(one) ? [] : [one]
      }),
      lists: listsOf(isNew),
      streams: history.streams.filter((stream) => !isFirst(stream.from)),
    },
  ]
}

/** Whether a write was stored and is lost. */
function lostWrites(log: readonly LogEntry[], isLost: (revision: number) => boolean): (one: Operation) => boolean {
  const held = new Map<string, string>()
  const written = new Set<string>()
  const deleted = new Set<string>()
  for (const { key, token, revision } of log) {
    const before = held.get(key)
    if (token === undefined) held.delete(key)
    else held.set(key, token)
    if (!isLost(revision)) continue
    if (token === undefined) deleted.add(`${key} ${before}`)
    else written.add(token)
  }
  return ({ key, action }) =>
    ('token' in action && written.has(action.token)) ||
    (action.verb === 'delete' && deleted.has(`${key} ${action.expected}`))
}

/** The same as if nobody had been answered. */
function inDoubt(operation: Operation): Operation[] {
  const { action, outcome } = operation
  if (action.verb === 'read' || !(outcome.type === 'done' || outcome.type === 'unknown')) return []
  return [{ ...operation, answeredAt: undefined, outcome: { type: 'unknown' } }]
}
