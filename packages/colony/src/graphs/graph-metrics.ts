// What /metrics shows of graphs: how many run, their nodes by phase, and how long they took.

import { Histogram, type Metric, Numbers } from '@homeostat/base'
import type { NodePhase } from '@homeostat/executor/graphs'
import type { ActiveGraph } from './active-graph.ts'

const SECONDS = [0.1, 0.5, 1, 5, 10, 60, 300, 1800, 3600, 21_600, 86_400]
const SHOWN: readonly NodePhase[] = ['Pending', 'Waiting', 'Running', 'Succeeded', 'Failed', 'Cancelled', 'Skipped']

export class GraphMetrics implements Metric {
  readonly #ended = new Histogram({
    name: 'homeostat_colony_graph_seconds',
    help: 'From the first node of a graph until its last had ended.',
    labels: ['namespace', 'result'],
    bounds: SECONDS,
  })
  #active: () => Iterable<ActiveGraph> = () => []

  follow(active: () => Iterable<ActiveGraph>): void {
    this.#active = active
  }

  ended(namespace: string, result: string, ms: number): void {
    this.#ended.child(namespace, result.toLowerCase()).observe(Math.max(0, ms) / 1000)
  }

  render(): string {
    const graphs = new Numbers('gauge', {
      name: 'homeostat_colony_graphs',
      help: 'Graphs that have not ended.',
      labels: ['namespace'],
    })
    const nodes = new Numbers('gauge', {
      name: 'homeostat_colony_graph_nodes',
      help: 'Nodes of graphs that have not ended, by phase.',
      labels: ['namespace', 'phase'],
    })
    for (const { namespace, run } of this.#active()) {
      graphs.child(namespace).add()
      for (const phase of SHOWN) nodes.child(namespace, phase.toLowerCase()).add(run.count(phase))
    }
    return graphs.render() + nodes.render() + this.#ended.render()
  }
}
