// All that clients of several servers may count on, checked over one history: each key by itself is linearizable, nothing
// acknowledged is lost, revisions rise, reads are as new as they were asked to be, watches show each change once and in order.

import { checkRun, type LogEntry, type Run, type Write } from '../../crash/checker.ts'
import { type Claim, claimDeletions } from './claim-deletions.ts'
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
  return {
    log,
    streams,
    writes: asWrites(operations, new Known(operations, lists), log),
    // Each by itself: they overlap, so that their order says nothing. What they may be behind is checked above.
    pictures: lists
      .toSorted((a, b) => a.revision - b.revision)
      .map(({ revision, objects }) => ({ revision, seen: 0, objects })),
    reads: [],
  }
}

function asWrites(operations: readonly Operation[], known: Known, log: readonly LogEntry[]): Write[] {
  const writes: Write[] = []
  const deletions: (Write & Claim)[] = []
  for (const operation of operations) {
    const { key, action, outcome } = operation
    if (action.verb === 'read') continue
    const told = outcome.type === 'done' ? 'acknowledged' : outcome.type === 'unknown' ? 'unknown' : 'refused'
    const write = { key, seen: known.floor(operation, 'newest'), outcome: told } as const
    if (action.verb === 'delete') {
      const isDone = told === 'acknowledged'
      if (told !== 'refused') deletions.push({ ...write, token: undefined, expected: action.expected, isDone })
    } else {
      const revision = outcome.type === 'done' ? outcome.revision : undefined
      writes.push({ ...write, token: action.token, ...(revision !== undefined && { revision }) })
    }
  }
  const removed = claimDeletions(deletions, log)
  return [...writes, ...deletions.map((deletion, index) => ({ ...deletion, deletes: removed[index] ?? 0 }))]
}
