// Reads the nodes of a graph: its own, those of its parts, and those that its Processes have added.

import type { Api } from '@homeostat/apiserver'
import type { GraphNode, ProcessGraph, ProcessGraphPart } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { GRAPH_PARTS, PROCESSES } from '../kinds/resources.ts'

/** Undefined when a part is missing. */
export function submittedNodes(api: Pick<Api, 'get'>, { metadata, spec }: ProcessGraph): GraphNode[] | undefined {
  const { namespace = '' } = metadata
  const nodes = [...(spec.nodes ?? [])]
  for (const name of spec.parts ?? []) {
    const part = api.get(GRAPH_PARTS, { namespace, name }) as unknown as ProcessGraphPart | undefined
    if (part === undefined) return undefined
    for (const node of part.spec.nodes) nodes.push(node)
  }
  return nodes
}

/** The committed Process; read-only. */
export function processAt(api: Pick<Api, 'object' | 'parsed'>, namespace: string, name: string): Process | undefined {
  const cached = api.object(PROCESSES, { namespace, name })
  return cached && (api.parsed(PROCESSES, cached) as unknown as Process | undefined)
}
