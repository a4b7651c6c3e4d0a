// Makes a new graph of one that has ended: it links to the old one and reuses the outputs from before the failure.

import type { Api } from '@homeostat/apiserver'
import { type GraphNode, graphObjects, type ProcessGraph } from '@homeostat/executor/graphs'
import { alreadyExists, conflict, type KubeObject, notFound } from '@homeostat/meta'
import { type OldNode, rerunNodes } from '../graph/rerun-nodes.ts'
import { GRAPH_PARTS, GRAPHS } from '../kinds/resources.ts'
import { processAt, submittedNodes } from './graph-nodes.ts'
import { processNameOf } from './node-process.ts'

/** 404 without such a graph, 409 while it runs and when there is one of the new name. */
export async function rerunGraph(api: Api, namespace: string, name: string, newName: string): Promise<KubeObject> {
  const old = api.get(GRAPHS, { namespace, name }) as unknown as ProcessGraph | undefined
  if (old === undefined) throw notFound(GRAPHS, name)
  if (old.status?.finishedAt === undefined) {
    throw conflict(GRAPHS, name, 'the graph has not ended: cancel it first, or wait for its end')
  }
  if (api.object(GRAPHS, { namespace, name: newName }) !== undefined) throw alreadyExists(GRAPHS, newName)
  const nodes = submittedNodes(api, old)
  if (nodes === undefined) throw conflict(GRAPHS, name, 'a part of the graph is missing: submit it again as a whole')
  const { parts: _, cancel: __, nodes: ___, ...kept } = old.spec
  const graph: ProcessGraph = {
    apiVersion: 'colonies.io/v1',
    kind: 'ProcessGraph',
    metadata: { name: newName, namespace, ...(old.metadata.labels && { labels: old.metadata.labels }) },
    spec: { ...kept, nodes: rerunNodes(oldNodes(api, old, nodes)), rerunOf: { name, uid: old.metadata.uid ?? '' } },
  }
  const objects = graphObjects(graph)
  for (const part of objects.slice(0, -1)) await api.create(GRAPH_PARTS, part as unknown as KubeObject)
  return api.create(GRAPHS, objects.at(-1) as unknown as KubeObject)
}

function oldNodes(api: Api, graph: ProcessGraph, submitted: readonly GraphNode[]): OldNode[] {
  const { namespace = '' } = graph.metadata
  const all: OldNode[] = []
  const add = (node: GraphNode, addedBy: string | undefined) => {
    const name = node.reuse ?? processNameOf(graph, node.name)
    const process = processAt(api, namespace, name)
    const succeeded = process?.status.phase === 'Succeeded' ? name : undefined
    all.push({ node, succeeded, ran: process !== undefined, addedBy })
    // What a reused Process has added is among the submitted nodes already.
    if (node.reuse !== undefined) return
    for (const added of (process?.status.addedNodes ?? []) as readonly GraphNode[]) add(added, node.name)
  }
  for (const node of submitted) add(node, undefined)
  return all
}
