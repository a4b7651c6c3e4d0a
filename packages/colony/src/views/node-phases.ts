// The phase of every node, as the server sees it: from the Processes of the graph, by the same state machine. Pure.

import { GRAPH_LABELS, type GraphNode, type NodePhase, type ProcessGraph } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { GraphRun } from '../graph/index.ts'

export interface NodeState {
  readonly node: GraphNode
  readonly phase: NodePhase
  /** Absent before it begins, and of a node that never does. */
  readonly process: Process | undefined
  /** A few words more, such as its executor or its error. */
  readonly detail: string | undefined
}

export function nodePhases(
  { spec, status }: ProcessGraph,
  submitted: readonly GraphNode[],
  processes: readonly Process[],
): NodeState[] {
  const byNode = new Map(processes.map((process) => [process.metadata.labels?.[GRAPH_LABELS.node] ?? '', process]))
  const output = ({ name }: GraphNode) => byNode.get(name)?.status.output
  const run = new GraphRun(submitted, { onFailure: spec.onFailure, output })
  for (const process of processes) run.add(addedNodes(process))
  for (const { name, phase } of status?.removed ?? []) run.changed(name, phase as 'Failed')
  for (const [name, { status: state }] of byNode) run.changed(name, state?.phase ?? 'Waiting')
  if (spec.cancel) run.cancel()
  return [...run.nodes()].map((node) => {
    const process = byNode.get(node.name)
    return { node, phase: run.phaseOf(node.name) ?? 'Pending', process, detail: detailOf(node, process) }
  })
}

function detailOf({ reuse }: GraphNode, process: Process | undefined): string | undefined {
  if (reuse !== undefined) return `reused ${reuse}`
  const { phase, executor, errors, attempt = 0 } = process?.status ?? {}
  if (phase === 'Running') return `by ${executor}${attempt > 1 ? `, attempt ${attempt}` : ''}`
  return errors?.[0]
}

function addedNodes({ status }: Process): readonly GraphNode[] {
  return (status?.addedNodes ?? []) as readonly GraphNode[]
}
