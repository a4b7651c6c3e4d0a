// The wire format of graphs of Processes: a ProcessGraph, its nodes, and the call that adds nodes. docs/graphs.md explains it.
// The entry `./graphs`.

import type { ApiObject } from '@homeostat/client'
import type { Condition } from '@homeostat/meta'
import type { Attempt, ProcessSpec } from './protocol.ts'

/** A node ends in one of the last four phases. Pending: its parents have not ended. */
export type NodePhase = 'Pending' | 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Skipped'

/** What a failure of a node means for what depends on it, and for the graph. */
export type OnFailure = 'fail' | 'continue'

export type WhenOperator = 'Equals' | 'NotEquals' | 'GreaterThan' | 'LessThan'

/** Compares the phase of a parent, or a value in its output. */
export interface WhenCondition {
  /** The parent: one of the node's dependencies. */
  readonly node: string
  /** The parent has ended in this phase. */
  readonly phase?: 'Succeeded' | 'Failed' | 'Cancelled' | 'Skipped'
  /** A JSON pointer into the parent's output; the empty pointer is the whole output. */
  readonly pointer?: string
  /** Default Equals. */
  readonly operator?: WhenOperator
  readonly value?: unknown
}

/** The fields of a Process's spec, and its place in the graph. */
export interface GraphNode extends Omit<ProcessSpec, 'cancel' | 'inputFrom'> {
  /** Unique in the graph. */
  readonly name: string
  /** The nodes that have to end before this one begins. Their outputs are its input, in this order. */
  readonly dependencies?: readonly string[]
  /** Default: that of the graph. */
  readonly onFailure?: OnFailure
  /** The node is skipped unless all hold. */
  readonly when?: readonly WhenCondition[]
  /** The Process of an earlier graph whose output stands for this node; it does not run again. */
  readonly reuse?: string
}

export interface ProcessGraphSpec {
  /** At most 2,000; the nodes of a larger graph are in parts. */
  readonly nodes?: readonly GraphNode[]
  /** Names of ProcessGraphParts. */
  readonly parts?: readonly string[]
  /** For nodes that do not say. Default fail. */
  readonly onFailure?: OnFailure
  /** Ends what waits and runs. This cannot be taken back. */
  readonly cancel?: boolean
  /** The graph is deleted, with its Processes, this long after its end. If absent, it is kept. */
  readonly ttlSecondsAfterFinished?: number
  /** The graph that this one runs again. */
  readonly rerunOf?: { readonly name: string; readonly uid: string }
}

/** How many nodes are in each phase. */
export interface NodeCounts {
  readonly total: number
  readonly pending?: number
  readonly waiting?: number
  readonly running?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly cancelled?: number
  readonly skipped?: number
}

export interface ProcessGraphStatus {
  readonly phase: 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled'
  readonly nodes?: NodeCounts
  /** The first failed nodes, at most 100. */
  readonly failed?: readonly string[]
  /** Nodes whose Process was deleted before the graph had ended, and the phase that counts for them. */
  readonly removed?: readonly { readonly name: string; readonly phase: NodePhase }[]
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly conditions?: readonly Condition[]
}

export interface ProcessGraph extends ApiObject {
  readonly spec: ProcessGraphSpec
  readonly status?: ProcessGraphStatus
}

/** Up to 2,000 nodes of a larger graph. Immutable. */
export interface ProcessGraphPart extends ApiObject {
  readonly spec: { readonly graph: string; readonly nodes: readonly GraphNode[] }
}

/** `POST processes/{name}/nodes`: adds nodes to the graph of a running Process. 409 when the executor or the attempt is another. */
export interface AddNodesRequest extends Pick<Attempt, 'attempt'> {
  readonly executor: string
  readonly nodes: readonly GraphNode[]
}

/** On the Processes of a graph. Only the colony sets them. */
export const GRAPH_LABELS = {
  name: 'colonies.io/graph',
  uid: 'colonies.io/graph-uid',
  node: 'colonies.io/graph-node',
} as const

/** How many nodes an object holds at most. */
export const MAX_NODES_INLINE = 2000

/** The objects that submit a graph of any size, in the order in which they are to be created: parts first, the graph last. */
export function graphObjects(graph: ProcessGraph): ApiObject[] {
  const { nodes = [], ...spec } = graph.spec
  if (nodes.length <= MAX_NODES_INLINE) return [graph]
  const { name = '', namespace } = graph.metadata
  const parts: ProcessGraphPart[] = []
  for (let start = 0; start < nodes.length; start += MAX_NODES_INLINE) {
    parts.push({
      apiVersion: graph.apiVersion,
      kind: 'ProcessGraphPart',
      metadata: { name: `${name}-part-${parts.length + 1}`, ...(namespace !== undefined && { namespace }) },
      spec: { graph: name, nodes: nodes.slice(start, start + MAX_NODES_INLINE) },
    })
  }
  return [
    ...parts,
    { ...graph, spec: { ...spec, parts: parts.map(({ metadata }) => metadata.name ?? '') } } as ProcessGraph,
  ]
}
