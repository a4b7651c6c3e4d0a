// The phase of every node, as the server sees it: from the Processes of the graph, by the same state machine. Pure.

import { GraphRun } from '@homeostat/colony/graph'
import { GRAPH_LABELS, type GraphNode, type ProcessGraph } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import type { DrawnNode } from './draw-graph.ts'
import { addedNodes } from './read-graph.ts'

export function nodePhases(
  { spec, status }: ProcessGraph,
  submitted: readonly GraphNode[],
  processes: readonly Process[],
): DrawnNode[] {
  const byNode = new Map(processes.map((process) => [process.metadata.labels?.[GRAPH_LABELS.node] ?? '', process]))
  const output = ({ name }: GraphNode) => byNode.get(name)?.status.output
  const run = new GraphRun(submitted, { onFailure: spec.onFailure, output })
  for (const process of processes) run.add(addedNodes(process))
  for (const { name, phase } of status?.removed ?? []) run.changed(name, phase as 'Failed')
  for (const [name, { status: state }] of byNode) run.changed(name, state?.phase ?? 'Waiting')
  if (spec.cancel) run.cancel()
  return [...run.nodes()].map((node) => {
    const process = byNode.get(node.name)
    return { node, phase: run.phaseOf(node.name) ?? 'Pending', detail: detailOf(node, process) }
  })
}

function detailOf({ reuse }: GraphNode, process: Process | undefined): string | undefined {
  if (reuse !== undefined) return `reused ${reuse}`
  const { phase, executor, errors, attempt = 0 } = process?.status ?? {}
  if (phase === 'Running') return `by ${executor}${attempt > 1 ? `, attempt ${attempt}` : ''}`
  return errors?.[0]
}
