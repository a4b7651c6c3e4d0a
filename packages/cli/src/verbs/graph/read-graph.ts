// Reads a graph with all its nodes, and makes the Fault for one that does not exist.

import type { GraphNode, ProcessGraph, ProcessGraphPart } from '@homeostat/executor/graphs'
import { isMissing, isNotServed, notFoundFault } from '../../access/failure.ts'
import { readObject } from '../../access/objects.ts'
import { GRAPH_PARTS, GRAPHS } from '../../access/paths.ts'
import type { Session } from '../../access/session.ts'
import { noQueue } from '../process/read-process.ts'

export async function readGraph(session: Session, name: string): Promise<ProcessGraph> {
  try {
    return await readObject<ProcessGraph>(session.client, GRAPHS, session.namespace, name)
  } catch (error) {
    throw graphFault(error, session, name)
  }
}

/** The submitted nodes, also those in parts. */
export async function submittedNodes(session: Session, { spec }: ProcessGraph): Promise<GraphNode[]> {
  const nodes = [...(spec.nodes ?? [])]
  for (const name of spec.parts ?? []) {
    const part = await readObject<ProcessGraphPart>(session.client, GRAPH_PARTS, session.namespace, name)
    for (const node of part.spec.nodes) nodes.push(node)
  }
  return nodes
}

export function hasEnded({ status }: ProcessGraph): boolean {
  return status?.finishedAt !== undefined
}

export function graphFault(error: unknown, { url, namespace }: Session, name: string): unknown {
  if (isNotServed(error)) return noQueue(url, error)
  if (!isMissing(error)) return error
  const shows = `\`homeostat get processgraphs -n ${namespace}\` shows those there are`
  return notFoundFault(`there is no graph '${name}' in the namespace ${namespace}; ${shows}`)
}
