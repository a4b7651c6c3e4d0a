// The status of a graph, from the state of its nodes. Pure.

import type { NodeCounts, NodePhase, ProcessGraph, ProcessGraphStatus } from '@homeostat/executor/graphs'
import { setCondition } from '@homeostat/meta'
import type { GraphRun } from '../graph/graph-run.ts'

/** So many failed nodes are named. */
const MAX_FAILED = 100

export type RemovedNode = NonNullable<ProcessGraphStatus['removed']>[number]

export interface GraphFacts {
  readonly run: GraphRun
  readonly removed: readonly RemovedNode[]
  /** When the first node was released. */
  readonly startedAt: number | undefined
}

const COUNTED: readonly NodePhase[] = ['Pending', 'Waiting', 'Running', 'Succeeded', 'Failed', 'Cancelled', 'Skipped']

export function graphStatus(
  { run, removed, startedAt }: GraphFacts,
  old: ProcessGraphStatus | undefined,
  now: number,
): ProcessGraphStatus {
  const { result } = run
  const failed = run.failed(MAX_FAILED)
  const hasBegun = startedAt !== undefined
  return {
    phase: result ?? (hasBegun ? 'Running' : 'Waiting'),
    nodes: countsOf(run),
    ...(failed.length > 0 && { failed }),
    ...(removed.length > 0 && { removed }),
    ...(hasBegun && { startedAt: new Date(startedAt).toISOString() }),
    ...(result && { finishedAt: new Date(now).toISOString(), conditions: endConditions(old, result, failed, now) }),
  }
}

/** Phases without a node are left out, all but the ones that a table shows. */
function countsOf(run: GraphRun): NodeCounts {
  const counts = COUNTED.map((phase) => [phase.toLowerCase(), run.count(phase)] as const)
  const shown = counts.filter(([name, count]) => count > 0 || name === 'running' || name === 'succeeded')
  return { total: run.size, ...Object.fromEntries(shown) }
}

function endConditions(
  old: ProcessGraphStatus | undefined,
  result: 'Succeeded' | 'Failed' | 'Cancelled',
  failed: readonly string[],
  now: number,
) {
  const type = result === 'Succeeded' ? 'Complete' : 'Failed'
  const message = result === 'Failed' ? `failed: ${failed.slice(0, 10).join(', ')}` : ''
  return setCondition(old?.conditions, { type, status: 'True', reason: result, message }, now)
}

/** The object that Events about a graph name. */
export function regardingGraph({ metadata }: Pick<ProcessGraph, 'metadata'>) {
  return { apiVersion: 'colonies.io/v1', kind: 'ProcessGraph', metadata }
}
