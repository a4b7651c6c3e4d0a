// The Process of a node: its name, which follows from graph and node alone, and its manifest. Pure.

import { GRAPH_LABELS, type GraphNode, type ProcessGraph } from '@homeostat/executor/graphs'
import type { KubeObject } from '@homeostat/meta'
import { asLabel } from '../handlers/label-text.ts'
import { hash32 } from '../queue/hash32.ts'

export type GraphName = Pick<ProcessGraph, 'metadata'>

const GRAPH_LENGTH = 28
const NODE_LENGTH = 20

/** `<graph>-<node>-<hash>`: equal names of nodes in two graphs, or in a graph that was created again, differ. */
export function processNameOf({ metadata }: GraphName, node: string): string {
  const { name = '', uid = '' } = metadata
  const hash = (salt: string) => hash32(`${salt}${uid}/${node}`).toString(36).padStart(7, '0')
  return `${stem(name, GRAPH_LENGTH)}-${stem(node, NODE_LENGTH)}-${hash('')}${hash('2')}`.slice(0, 63)
}

/** `inputFrom` are the Processes of its dependencies, in order; empty for one without a Process. */
export function processOfNode(graph: ProcessGraph, node: GraphNode, inputFrom: readonly string[]): KubeObject {
  const { name: nodeName, dependencies: _, onFailure: __, when: ___, reuse: ____, ...work } = node
  const { name = '', namespace = '', uid = '' } = graph.metadata
  return {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: {
      name: processNameOf(graph, nodeName),
      namespace,
      labels: { [GRAPH_LABELS.name]: asLabel(name), [GRAPH_LABELS.uid]: uid, [GRAPH_LABELS.node]: nodeName },
      ownerReferences: [{ apiVersion: 'colonies.io/v1', kind: 'ProcessGraph', name, uid, controller: true }],
    },
    spec: { ...work, ...(inputFrom.length > 0 && { inputFrom }) },
  }
}

/** The beginning of a name, with the characters that the name of an object may have. */
function stem(text: string, length: number): string {
  const letters = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return letters.slice(0, length).replace(/^-+|-+$/g, '') || 'x'
}
