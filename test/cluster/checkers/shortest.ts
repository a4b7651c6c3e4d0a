// Cuts a history of one key that no order explains down to the operations that contradict each other, for a person to read.

import { isLinearizable } from './linearizable.ts'
import type { Operation } from './operations.ts'

/** The shortest beginning that is not linearizable, without the operations that the contradiction does not need. */
export function shortestViolation(operations: readonly Operation[], initial?: string): readonly Operation[] {
  const ends = operations
    .flatMap(({ answeredAt }) => (answeredAt === undefined ? [] : [answeredAt]))
    .sort((a, b) => a - b)
  const first = ends.find((end) => !isLinearizable(until(operations, end), initial))
  let kept = until(operations, first ?? Number.POSITIVE_INFINITY)
  for (const operation of kept.toReversed()) {
    const fewer = kept.filter((one) => one !== operation)
    if (!explainsOthers(operation, fewer) && !isLinearizable(fewer, initial)) kept = fewer
  }
  return kept
}

/** What was known at the time: later answers had not been given, and later operations not been sent. */
function until(operations: readonly Operation[], end: number): Operation[] {
  return operations
    .filter(({ sentAt }) => sentAt <= end)
    .map((operation) => {
      if ((operation.answeredAt ?? end) <= end) return operation
      return { ...operation, answeredAt: undefined, outcome: { type: 'unknown' } }
    })
}

/** Without a write, whoever saw its token would be a contradiction by itself. */
function explainsOthers({ action, outcome }: Operation, others: readonly Operation[]): boolean {
  if (action.verb === 'read') return false
  // Whether it changed the key matters to every later answer.
  if (outcome.type === 'done' || outcome.type === 'unknown')
    return action.verb === 'delete' || others.some((other) => tokensOf(other).includes(action.token))
  return false
}

function tokensOf({ action, outcome }: Operation): (string | undefined)[] {
  return ['expected' in action ? action.expected : undefined, 'token' in outcome ? outcome.token : undefined]
}
