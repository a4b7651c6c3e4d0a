// A graph that has not ended, in memory: its nodes, and what is to be written about it.

import type { GraphNode, ProcessGraph } from '@homeostat/executor/graphs'
import { GraphRun } from '../graph/graph-run.ts'
import type { RemovedNode } from './graph-status.ts'
import { processNameOf } from './node-process.ts'

export class ActiveGraph {
  readonly graph: ProcessGraph
  readonly run: GraphRun
  readonly removed: RemovedNode[]
  /** Nodes whose Process has to be cancelled. */
  readonly cancels = new Set<string>()
  startedAt: number | undefined
  /** When its status was last written. */
  writtenAt = Number.NEGATIVE_INFINITY
  /** Nothing is written for it before this time, since the last write failed. */
  restsUntil = 0
  /** Additions of nodes, one after the other. */
  additions: Promise<unknown> = Promise.resolve()

  constructor(graph: ProcessGraph, nodes: readonly GraphNode[], outputOf: (process: string) => unknown) {
    const { status, spec } = graph
    this.graph = graph
    this.removed = [...(status?.removed ?? [])]
    this.startedAt = status?.startedAt === undefined ? undefined : Date.parse(status.startedAt)
    this.run = new GraphRun(nodes, { onFailure: spec.onFailure, output: (node) => outputOf(this.processOf(node)) })
    for (const { name, phase } of this.removed) this.run.changed(name, phase as 'Failed')
  }

  get namespace(): string {
    return this.graph.metadata.namespace ?? ''
  }

  get name(): string {
    return this.graph.metadata.name ?? ''
  }

  get uid(): string {
    return this.graph.metadata.uid ?? ''
  }

  /** The Process whose output is that of the node. */
  processOf({ name, reuse }: GraphNode): string {
    return reuse ?? processNameOf(this.graph, name)
  }

  /** The Processes of the node's dependencies, in order. Those that were skipped or decided have none. */
  inputOf({ dependencies = [] }: GraphNode, exists: (process: string) => boolean): string[] {
    return dependencies.map((name) => {
      const parent = this.run.node(name)
      const process = parent === undefined ? '' : this.processOf(parent)
      return process !== '' && exists(process) ? process : ''
    })
  }

  /** Whether there is something to write: nodes to release, or Processes to cancel. */
  get hasWork(): boolean {
    return this.run.readyCount > 0 || this.cancels.size > 0
  }
}
