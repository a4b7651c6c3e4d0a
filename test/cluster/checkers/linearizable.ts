// Whether what clients were told of one key can be explained by some order of its operations, in which each takes effect at once between
// being sent and being answered. It trusts no revision. The search is that of Wing and Gong with the memory of Lowe: a set of
// operations that have taken effect leads nowhere a second time with the same state.

import type { Action, Operation, Outcome } from './operations.ts'

/** For operations of one key. `initial` is what it holds before all of them. */
export function isLinearizable(operations: readonly Operation[], initial?: string): boolean {
  const { certain, doubtful } = sortOut(operations)
  return new Search(certain, doubtful).explains(
    0,
    0n,
    doubtful.map(() => 0),
    initial,
  )
}

/** The token of the write that the key holds, or undefined. */
type State = string | undefined

/** One that must take effect between two times. */
interface Certain extends Pick<Operation, 'action' | 'outcome' | 'sentAt'> {
  readonly end: number
}

/**
 * Writes that may take effect at any time after they were sent, or never, and that do the same: nobody has seen their tokens, so that
 * the earliest that is left stands for all of them.
 */
interface Doubtful {
  readonly action: Exclude<Action, { verb: 'read' }>
  /** When each was sent, in order. */
  readonly sentAt: readonly number[]
}

function sortOut(operations: readonly Operation[]): { certain: Certain[]; doubtful: Doubtful[] } {
  const sightings = firstSightings(operations)
  const certain: Certain[] = []
  const doubts = new Map<string, { action: Doubtful['action']; sentAt: number[] }>()
  for (const { action, outcome, sentAt, answeredAt } of operations.toSorted((a, b) => a.sentAt - b.sentAt)) {
    if (saysNothing(action, outcome)) continue
    const seen = 'token' in action ? sightings.get(action.token) : undefined
    if (outcome.type !== 'unknown')
      certain.push({ action, outcome, sentAt, end: answeredAt ?? Number.POSITIVE_INFINITY })
    // Somebody saw its token: it took effect before.
    else if (seen !== undefined) certain.push({ action, outcome: { type: 'done' }, sentAt, end: seen })
    else if (action.verb !== 'read') {
      const kind = `${action.verb} ${'expected' in action ? (action.expected ?? '') : ''}`
      const doubt = doubts.get(kind) ?? { action, sentAt: [] }
      doubt.sentAt.push(sentAt)
      doubts.set(kind, doubt)
    }
  }
  return { certain, doubtful: [...doubts.values()] }
}

/** About the newest state of the key. */
function saysNothing(action: Action, outcome: Outcome): boolean {
  if (action.verb === 'read') return action.demands === 'any' || outcome.type !== 'shown'
  return outcome.type === 'refused'
}

/** By when each token had been stored, as far as answers prove it. */
function firstSightings(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const sightings = new Map<string, number>()
  for (const { action, outcome, answeredAt } of operations) {
    const token = outcome.type === 'shown' ? outcome.token : outcome.type === 'done' ? expectedBy(action) : undefined
    if (token === undefined || answeredAt === undefined) continue
    sightings.set(token, Math.min(answeredAt, sightings.get(token) ?? answeredAt))
  }
  return sightings
}

function expectedBy(action: Action): string | undefined {
  return 'expected' in action ? action.expected : undefined
}

class Search {
  readonly #certain: readonly Certain[]
  readonly #doubtful: readonly Doubtful[]
  readonly #failed = new Set<string>()

  constructor(certain: readonly Certain[], doubtful: readonly Doubtful[]) {
    this.#certain = certain
    this.#doubtful = doubtful
  }

  /**
   * Whether the certain operations from `first` on, but for those whose bits `done` has, can follow the state, with the help of
   * doubtful ones, of which `used` many of each kind have taken effect.
   */
  explains(first: number, done: bigint, used: readonly number[], state: State): boolean {
    while (done & 1n) {
      first++
      done >>= 1n
    }
    if (first >= this.#certain.length) return true
    const name = `${first} ${done} ${used.join()} ${state ?? ''}`
    if (this.#failed.has(name)) return false
    this.#failed.add(name)
    let earliest = Number.POSITIVE_INFINITY
    for (let index = first; index < this.#certain.length; index++) {
      const operation = this.#certain[index] as Certain
      if (operation.sentAt > earliest) break
      const bit = 1n << BigInt(index - first)
      if (done & bit) continue
      earliest = Math.min(earliest, operation.end)
      const after = apply(operation, state)
      if (after !== IMPOSSIBLE && this.explains(first, done | bit, used, after)) return true
    }
    return this.#doubtful.some(({ action, sentAt }, kind) => {
      const next = used[kind] ?? 0
      if ((sentAt[next] ?? Number.POSITIVE_INFINITY) > earliest || !fits(action, state)) return false
      const after = action.verb === 'delete' ? undefined : action.token
      return this.explains(first, done, used.with(kind, next + 1), after)
    })
  }
}

const IMPOSSIBLE = Symbol('impossible')

/** The state after the operation, if it can take effect in this one with the outcome that the client was told. */
function apply({ action, outcome }: Pick<Certain, 'action' | 'outcome'>, state: State): State | typeof IMPOSSIBLE {
  if (action.verb === 'read') return outcome.type === 'shown' && outcome.token === state ? state : IMPOSSIBLE
  const isThere = state !== undefined
  switch (outcome.type) {
    case 'done':
      if (!fits(action, state)) return IMPOSSIBLE
      return action.verb === 'delete' ? undefined : action.token
    case 'exists':
      return action.verb === 'create' && isThere ? state : IMPOSSIBLE
    case 'missing':
      return action.verb !== 'create' && !isThere ? state : IMPOSSIBLE
    case 'conflict':
      return action.verb !== 'create' && isThere && !fits(action, state) ? state : IMPOSSIBLE
    default:
      return IMPOSSIBLE
  }
}

function fits(action: Exclude<Action, { verb: 'read' }>, state: State): boolean {
  if (action.verb === 'create') return state === undefined
  return state !== undefined && (action.expected === undefined || action.expected === state)
}
