// The nodes of a graph with their phases: those that were submitted, also in parts, with the Processes that they have become.

import { type NodeState, nodePhases } from '@homeostat/colony/views'
import { GRAPH_LABELS, type GraphNode, type ProcessGraph, type ProcessGraphPart } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { useEffect, useMemo, useState } from 'react'
import { client } from '../../connection/client.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { Row } from '../../live/table-replica.ts'
import { useTables } from '../../live/use-table.ts'

/** What is read of each Process. An output may be large, and counts only where a condition looks at it. */
const FIELDS = [
  '.status.phase',
  '.status.executor',
  '.status.attempt',
  '.status.errors[0]',
  '.status.startedAt',
  '.status.finishedAt',
  '.status.submittedAt',
  '.status.addedNodes',
]
const OUTPUT = '.status.output'

export interface GraphNodes {
  readonly nodes: readonly NodeState[]
  readonly problem: string | undefined
}

/** Undefined while the nodes in parts are read. */
export function useGraphNodes(graph: ProcessGraph, processes: Kind): GraphNodes | undefined {
  const { namespace, uid } = graph.metadata
  const { submitted, problem } = useSubmitted(graph)
  const looksAtOutputs = submitted?.some(({ when }) => when?.some(({ pointer }) => pointer !== undefined)) === true
  const paths = useMemo(() => (looksAtOutputs ? [...FIELDS, OUTPUT] : FIELDS), [looksAtOutputs])
  const { state } = useTables(processes, [namespace], { labelSelector: `${GRAPH_LABELS.uid}=${uid}`, paths })
  return useMemo(() => {
    if (submitted === undefined) return problem === undefined ? undefined : { nodes: [], problem }
    return {
      nodes: nodePhases(graph, submitted, state.rows.map(processOf)),
      problem: state.trouble?.message ?? problem,
    }
  }, [graph, submitted, problem, state])
}

function processOf({ metadata, fields = [] }: Row): Process {
  const [phase, executor, attempt, error, startedAt, finishedAt, submittedAt, addedNodes, output] = fields
  const status = { phase, executor, attempt, startedAt, finishedAt, submittedAt, addedNodes, output }
  return { metadata, status: { ...status, ...(error !== undefined && { errors: [error] }) } } as unknown as Process
}

interface Submitted {
  readonly submitted: readonly GraphNode[] | undefined
  readonly problem: string | undefined
}

function useSubmitted({ metadata, spec }: ProcessGraph): Submitted {
  const [inParts, setInParts] = useState<Submitted>({ submitted: undefined, problem: undefined })
  const { namespace = '', uid } = metadata
  const parts = spec.parts?.join(' ') ?? ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: nodes that were submitted never change
  useEffect(() => {
    if (parts === '') return
    const ending = new AbortController()
    readParts(namespace, parts.split(' '), ending.signal).then(
      (nodes) => setInParts({ submitted: [...(spec.nodes ?? []), ...nodes], problem: undefined }),
      (error: Error) => ending.signal.aborted || setInParts({ submitted: undefined, problem: error.message }),
    )
    return () => ending.abort()
  }, [namespace, uid, parts])
  // biome-ignore lint/correctness/useExhaustiveDependencies: nodes that were submitted never change
  const own = useMemo(() => ({ submitted: spec.nodes ?? [], problem: undefined }), [uid])
  return parts === '' ? own : inParts
}

async function readParts(namespace: string, names: readonly string[], signal: AbortSignal): Promise<GraphNode[]> {
  const parts = client.resourceOf<ProcessGraphPart>('colonies.io/v1', 'ProcessGraphPart')
  const nodes: GraphNode[] = []
  for (const name of names)
    for (const node of (await parts.get({ namespace, name }, { signal })).spec.nodes) nodes.push(node)
  return nodes
}
