// Reads against the log of changes. Whoever asks for the newest state sees every write that anybody was told of before. Whoever takes
// any (resourceVersion=0) may see an older one, but no server goes back behind what it has shown itself.

import type { LogEntry } from '../../crash/checker.ts'
import { describe, type History, type Operation, type Span } from './operations.ts'

export function checkServerReads({ operations, lists, log }: History): string[] {
  const known = new Known(operations, lists)
  const keys = Map.groupBy(log, ({ key }) => key)
  return [
    ...operations.flatMap((operation) => checkRead(operation, keys.get(operation.key) ?? [], known)),
    ...lists.flatMap((list) => {
      const floor = known.floor(list, list.demands)
      if (list.revision >= floor) return []
      return [`stale: a list of ${list.client} at ${list.server} is of ${list.revision}, ${floor} was known before`]
    }),
  ]
}

function checkRead(operation: Operation, changes: readonly LogEntry[], known: Known): string[] {
  const { action, outcome } = operation
  if (action.verb !== 'read' || outcome.type !== 'shown') return []
  const floor = known.floor(operation, action.demands)
  if (isShownSince(outcome, changes, floor)) return []
  const exists = changes.some(({ revision, token }) => revision === outcome.revision && token === outcome.token)
  if (outcome.token !== undefined && !exists) return [`invented: ${describe(operation)}, which the log does not have`]
  return [`stale: ${describe(operation)}, which had changed by revision ${floor}, known before`]
}

/** Whether this was the state of the key at some revision from `floor` on. */
function isShownSince(
  shown: { readonly token?: string | undefined; readonly revision?: number | undefined },
  changes: readonly LogEntry[],
  floor: number,
): boolean {
  const isLast = (index: number) => (changes[index + 1]?.revision ?? Number.POSITIVE_INFINITY) > floor
  if (shown.token === undefined && isLast(-1)) return true
  return changes.some(
    ({ token, revision }, index) =>
      token === shown.token && (token === undefined || revision === shown.revision) && isLast(index),
  )
}

interface Told {
  readonly at: number
  readonly revision: number
}

/** The highest revision that clients were told of, by whom and until when. */
export class Known {
  readonly #anybody: readonly Told[]
  readonly #servers: ReadonlyMap<string, readonly Told[]>

  constructor(operations: History['operations'], lists: History['lists']) {
    const told: (Told & { readonly server: string })[] = []
    const add = ({ answeredAt, server }: Span, revision: number | undefined) => {
      if (answeredAt !== undefined && revision !== undefined) told.push({ at: answeredAt, revision, server })
    }
    for (const operation of operations)
      add(operation, 'revision' in operation.outcome ? operation.outcome.revision : undefined)
    for (const list of lists) add(list, list.revision)
    told.sort((a, b) => a.at - b.at)
    this.#anybody = rising(told)
    this.#servers = new Map([...Map.groupBy(told, ({ server }) => server)].map(([name, mine]) => [name, rising(mine)]))
  }

  /** The oldest revision that an answer to this may be of. */
  floor({ sentAt, server }: Span, demands: 'newest' | 'any'): number {
    return before(demands === 'newest' ? this.#anybody : (this.#servers.get(server) ?? []), sentAt)
  }
}

function rising(told: readonly Told[]): Told[] {
  let highest = 0
  return told.map(({ at, revision }) => {
    highest = Math.max(highest, revision)
    return { at, revision: highest }
  })
}

/** The revision of the last one that is earlier than the time. */
function before(told: readonly Told[], time: number): number {
  let [low, high] = [0, told.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((told[middle] as Told).at < time) low = middle + 1
    else high = middle
  }
  return told[low - 1]?.revision ?? 0
}
