// Writes the status of graphs: each at most once a second, and the end at once when the last write is long enough ago.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { ProcessGraph, ProcessGraphStatus } from '@homeostat/executor/graphs'
import { parseRfc3339, setCondition } from '@homeostat/meta'
import type { ColonyEvents } from '../events/colony-events.ts'
import { GRAPHS } from '../kinds/resources.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { ActiveGraph } from './active-graph.ts'
import type { GraphMetrics } from './graph-metrics.ts'
import { graphStatus, regardingGraph } from './graph-status.ts'

export interface GraphStatusParts {
  readonly api: Api
  readonly clock: Clock
  readonly events: Pick<ColonyEvents, 'record'>
  readonly writes: BackgroundWrites
  readonly metrics: GraphMetrics
}

const EVERY_MS = 1000

export class GraphStatusWriter {
  readonly #parts: GraphStatusParts
  /** Graphs that changed since their status was written. */
  readonly #changed = new Set<ActiveGraph>()
  readonly #writing = new Set<ActiveGraph>()
  /** All that changed are looked at together, at this time. */
  #nextAt = 0

  constructor(parts: GraphStatusParts) {
    this.#parts = parts
  }

  add(graph: ActiveGraph): void {
    const now = this.#parts.clock.now()
    if (this.#changed.size === 0) this.#nextAt = now + EVERY_MS
    this.#changed.add(graph)
    if (graph.run.isOver && graph.writtenAt + EVERY_MS <= now) this.#write(graph, now)
  }

  remove(graph: ActiveGraph): void {
    this.#changed.delete(graph)
  }

  nextTime(): number | undefined {
    return this.#changed.size > 0 ? this.#nextAt : undefined
  }

  act(now: number): void {
    if (this.#changed.size === 0 || now < this.#nextAt) return
    this.#nextAt = now + EVERY_MS
    for (const graph of [...this.#changed]) {
      if (this.#parts.writes.room <= 0) return
      if (graph.writtenAt + EVERY_MS <= now) this.#write(graph, now)
    }
  }

  /** Ends a graph that cannot run at all. */
  fail(graph: ProcessGraph, reason: string, message: string): void {
    const { api, clock, writes, events } = this.#parts
    const { namespace = '', name = '', uid } = graph.metadata
    const now = clock.now()
    const write = api.writeStatus(GRAPHS, { namespace, name }, ({ metadata, status }) => {
      if (metadata.uid !== uid) return status
      const conditions = setCondition([], { type: 'Failed', status: 'True', reason, message }, now)
      return { ...(status as object), phase: 'Failed', finishedAt: new Date(now).toISOString(), conditions }
    })
    writes.add(
      write.then(() => events.record(regardingGraph(graph), { type: 'Warning', reason, message })),
      { graph: name },
    )
  }

  /** A graph stays among the changed ones until its write has succeeded. */
  #write(graph: ActiveGraph, now: number): void {
    if (this.#writing.has(graph)) return
    this.#writing.add(graph)
    this.#changed.delete(graph)
    graph.writtenAt = now
    const { api, writes } = this.#parts
    const { namespace, name, uid } = graph
    let isOver = false
    const write = api
      .writeStatus(GRAPHS, { namespace, name }, ({ metadata, status }) => {
        const old = status as ProcessGraphStatus | undefined
        if (metadata.uid !== uid || old?.finishedAt !== undefined) return status
        const next = graphStatus(graph, old, now)
        isOver = next.finishedAt !== undefined
        return next
      })
      .then(
        () => isOver && this.#over(graph, now),
        (error: unknown) => {
          this.add(graph)
          throw error
        },
      )
      .finally(() => this.#writing.delete(graph))
    writes.add(
      write.then(() => {}),
      { graph: name },
    )
  }

  #over({ graph, run, startedAt }: ActiveGraph, now: number): void {
    const { events, metrics } = this.#parts
    const { result = 'Failed' } = run
    const began = startedAt ?? parseRfc3339(graph.metadata.creationTimestamp ?? '') ?? now
    metrics.ended(graph.metadata.namespace ?? '', result, now - began)
    const failed = run.failed(10).join(', ')
    const message = result === 'Failed' ? `failed: ${failed}` : `${run.size} nodes, ${run.count('Succeeded')} succeeded`
    events.record(regardingGraph(graph), {
      type: result === 'Succeeded' ? 'Normal' : 'Warning',
      reason: result,
      message,
    })
  }
}
