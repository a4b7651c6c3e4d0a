// Says what is wrong with a history of graphs and schedules, in words. Pure. A history is sound when no node began before its
// parents had ended, none was made or run twice, every output arrived, and each tick has one run at most and one at least
// unless its deadline had passed.

/** A committed state of a Process of a graph. */
export interface NodeState {
  readonly revision: number
  readonly graph: string
  readonly node: string
  readonly uid: string
  readonly phase: string
  readonly attempt: number
  /** What its executor reported. */
  readonly output: unknown
  /** What its executor got in this attempt; undefined when nobody has it. */
  readonly input: readonly unknown[] | undefined
}

export interface GraphHistory {
  /** The dependencies of each node of each graph. */
  readonly graphs: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  /** In the order of revisions. */
  readonly states: readonly NodeState[]
  /** How each graph ended; undefined when it did not. */
  readonly ends: ReadonlyMap<string, string | undefined>
}

const ENDED = new Set(['Succeeded', 'Failed', 'Cancelled'])

export function checkGraphs({ graphs, states, ends }: GraphHistory): string[] {
  const wrong: string[] = []
  const last = new Map<string, NodeState>()
  const ended = new Map<string, NodeState>()
  for (const state of states) {
    const id = `${state.graph}/${state.node}`
    const before = last.get(id)
    last.set(id, state)
    const parents = graphs.get(state.graph)?.get(state.node)
    if (parents === undefined) {
      wrong.push(`invented: ${id} is no node`)
      continue
    }
    if (before === undefined) {
      const open = parents.filter((parent) => !ended.has(`${state.graph}/${parent}`))
      if (open.length > 0) wrong.push(`too early: ${id} was made while ${open.join(', ')} had not ended`)
    } else if (before.uid !== state.uid) wrong.push(`twice: ${id} was made more than once`)
    else if (ENDED.has(before.phase) && before.phase !== state.phase)
      wrong.push(`ended twice: ${id} was ${before.phase} and became ${state.phase}`)
    if (state.phase === 'Running' && before?.phase === 'Running' && before.attempt !== state.attempt) {
      wrong.push(`two at once: ${id} in attempts ${before.attempt} and ${state.attempt}`)
    }
    if (state.input !== undefined) wrong.push(...inputProblems(state, parents, ended))
    if (ENDED.has(state.phase) && !ended.has(id)) ended.set(id, state)
  }
  for (const [graph, nodes] of graphs) wrong.push(...endProblems(graph, nodes, ended, ends.get(graph)))
  return wrong
}

function inputProblems(
  { graph, node, input = [] }: NodeState,
  parents: readonly string[],
  ended: ReadonlyMap<string, NodeState>,
): string[] {
  const expected = parents.map((parent) => ended.get(`${graph}/${parent}`)?.output ?? null)
  if (JSON.stringify(input) === JSON.stringify(expected)) return []
  return [`input: ${graph}/${node} got ${JSON.stringify(input)}, and its parents said ${JSON.stringify(expected)}`]
}

/** A node has run when all its parents succeeded, and not when one failed; the graph says so. */
function endProblems(
  graph: string,
  nodes: ReadonlyMap<string, readonly string[]>,
  ended: ReadonlyMap<string, NodeState>,
  end: string | undefined,
): string[] {
  if (end === undefined) return [`never ended: ${graph}`]
  const wrong: string[] = []
  let hasFailed = false
  for (const [node, parents] of nodes) {
    const state = ended.get(`${graph}/${node}`)
    const isFree = parents.every((parent) => ended.get(`${graph}/${parent}`)?.phase === 'Succeeded')
    hasFailed ||= state?.phase === 'Failed'
    if (isFree && state === undefined) wrong.push(`lost: ${graph}/${node} never ran`)
    if (!isFree && state !== undefined) wrong.push(`not allowed: ${graph}/${node} ran after a failure`)
  }
  if ((end === 'Failed') !== hasFailed) wrong.push(`result: ${graph} is ${end}`)
  return wrong
}

export interface ScheduleHistory {
  /** Of each schedule, when it was made, its interval and the end of the history, in ms. */
  readonly schedules: ReadonlyMap<
    string,
    { readonly madeAt: number; readonly everyMs: number; readonly until: number; readonly deadlineMs: number }
  >
  /** Every run that was ever committed. */
  readonly runs: readonly {
    readonly schedule: string
    readonly tick: number
    readonly uid: string
    readonly madeAt: number
  }[]
  /** When the server could work, as pairs of times. */
  readonly uptimes: readonly (readonly [from: number, to: number])[]
}

export function checkSchedules({ schedules, runs, uptimes }: ScheduleHistory): string[] {
  const wrong: string[] = []
  const made = new Map<string, string>()
  for (const { schedule, tick, uid, madeAt } of runs) {
    const timing = schedules.get(schedule)
    const id = `${schedule} at ${tick}`
    if (timing === undefined || (tick - timing.madeAt) % timing.everyMs !== 0 || tick <= timing.madeAt) {
      wrong.push(`invented: ${id} is no tick`)
      continue
    }
    const other = made.get(id)
    if (other !== undefined && other !== uid) wrong.push(`twice: ${id} has two runs`)
    made.set(id, uid)
    if (madeAt < tick) wrong.push(`too early: ${id} was made at ${madeAt}`)
  }
  for (const [name, { madeAt, everyMs, until, deadlineMs }] of schedules) {
    for (let tick = madeAt + everyMs; tick + deadlineMs < until; tick += everyMs) {
      const couldRun = uptimes.some(([from, to]) => from <= tick && tick + deadlineMs <= to)
      if (couldRun && !made.has(`${name} at ${tick}`)) wrong.push(`lost: ${name} at ${tick} has no run`)
    }
  }
  return wrong
}
