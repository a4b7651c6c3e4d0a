// All that clients of several servers may count on, checked over one history: each key by itself is linearizable, nothing
// acknowledged is lost, revisions rise, reads are as new as they were asked to be, watches show each change once and in order.

import { checkRun, type LogEntry, type Run, type Write } from '../../crash/checker.ts'
import { isLinearizable } from './linearizable.ts'
import { describe, type History, type Operation } from './operations.ts'
import { checkServerReads, Known } from './server-reads.ts'
import { shortestViolation } from './shortest.ts'

/** What is wrong, in words. */
export function checkHistory(history: History): string[] {
  return [...checkKeys(history.operations), ...checkServerReads(history), ...checkRun(asRun(history))]
}

function checkKeys(operations: readonly Operation[]): string[] {
  const keys = Map.groupBy(operations, ({ key }) => key)
  return [...keys].flatMap(([key, mine]) => {
    if (isLinearizable(mine)) return []
    const lines = shortestViolation(mine).map((operation) => `  ${describe(operation)}`)
    return [`not linearizable: no order of these explains what clients were told of ${key}:\n${lines.join('\n')}`]
  })
}

/** The same history as the checker of crash tests takes it, which knows of one server. */
function asRun({ operations, lists, streams, log }: History): Run {
  const known = new Known(operations, lists)
  const deletions = new Deletions(log)
  return {
    log,
    streams,
    writes: operations.toSorted(byCertainty).flatMap((operation) => asWrite(operation, known, deletions)),
    // Each by itself: they overlap, so that their order says nothing. What they may be behind is checked above.
    pictures: lists
      .toSorted((a, b) => a.revision - b.revision)
      .map(({ revision, objects }) => ({ revision, seen: 0, objects })),
    reads: [],
  }
}

const RANKS: Partial<Record<string, number>> = { done: 0, unknown: 2 }

/** Of those that may have made a deletion, the acknowledged ones explain it first, and before others those that say which. */
function byCertainty(a: Operation, b: Operation): number {
  const rank = ({ action, outcome }: Operation) =>
    (RANKS[outcome.type] ?? 4) + ('expected' in action && action.expected !== undefined ? 0 : 1)
  return rank(a) - rank(b) || a.sentAt - b.sentAt
}

function asWrite(operation: Operation, known: Known, deletions: Deletions): Write[] {
  const { key, action, outcome } = operation
  if (action.verb === 'read') return []
  const told = outcome.type === 'done' ? 'acknowledged' : outcome.type === 'unknown' ? 'unknown' : 'refused'
  const seen = known.floor(operation, 'newest')
  const write = { key, seen, outcome: told } as const
  if (action.verb === 'delete') {
    if (told === 'refused') return []
    return [{ ...write, token: undefined, deletes: deletions.claim(key, seen, action.expected) }]
  }
  const revision = outcome.type === 'done' ? outcome.revision : undefined
  return [{ ...write, token: action.token, ...(revision !== undefined && { revision }) }]
}

interface Deletion {
  readonly revision: number
  readonly removed: LogEntry | undefined
}

/** Which deletion of the log is whose: answers to deletions name no revision. */
class Deletions {
  readonly #open = new Map<string, Deletion[]>()

  constructor(log: readonly LogEntry[]) {
    const held = new Map<string, LogEntry>()
    for (const entry of log) {
      const { key, token, revision } = entry
      if (token !== undefined) held.set(key, entry)
      else {
        const open = this.#open.get(key) ?? []
        open.push({ revision, removed: held.get(key) })
        this.#open.set(key, open)
      }
    }
  }

  /** The revision that the deletion removed; 0, which no deletion did, when none is left that it can have made. */
  claim(key: string, seen: number, expected: string | undefined): number {
    const open = this.#open.get(key) ?? []
    const index = open.findIndex(
      ({ revision, removed }) => revision > seen && (expected === undefined || removed?.token === expected),
    )
    const [claimed] = index < 0 ? [] : open.splice(index, 1)
    return claimed?.removed?.revision ?? 0
  }
}
