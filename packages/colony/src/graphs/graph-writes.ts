// Writes the Processes of nodes: creates them when a node may begin, and cancels them with their graph. The number of writes at
// once is bounded, graphs take turns, and the event loop gets its turn between them.

import type { Api } from '@homeostat/apiserver'
import { type Clock, type Log, TimeSlice } from '@homeostat/base'
import type { GraphNode } from '@homeostat/executor/graphs'
import type { ProcessSpec } from '@homeostat/executor/protocol'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import { PROCESSES } from '../kinds/resources.ts'
import type { ActiveGraph } from './active-graph.ts'
import { processOfNode } from './node-process.ts'

export interface GraphWriteParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  /** The Process of the node exists already: a server ended between its create and its record. */
  found(graph: ActiveGraph, node: GraphNode, process: KubeObject): void
  /** The Process of the node can never be created. */
  refused(graph: ActiveGraph, node: GraphNode, error: unknown): void
}

const MAX_WRITES = 64
/** So many nodes of a graph are written before others have their turn. */
const TURN = 16
const REST_MS = 1000
const SLICE_MS = 5

export class GraphWrites {
  readonly #parts: GraphWriteParts
  readonly #waiting = new Set<ActiveGraph>()
  readonly #resting = new Set<ActiveGraph>()
  readonly #writes = new Set<Promise<void>>()
  #pump: Promise<void> | undefined
  /** The pump waits for the end of a write. */
  #onEnd: (() => void) | undefined
  #closed = false

  constructor(parts: GraphWriteParts) {
    this.#parts = parts
  }

  /** The graph may have something to write. */
  add(graph: ActiveGraph): void {
    if (this.#closed || !graph.hasWork) return
    if (graph.restsUntil > this.#parts.clock.now()) {
      this.#resting.add(graph)
      return
    }
    this.#waiting.add(graph)
    this.#pump ??= this.#run().finally(() => {
      this.#pump = undefined
    })
  }

  remove(graph: ActiveGraph): void {
    this.#waiting.delete(graph)
    this.#resting.delete(graph)
  }

  /** When graphs whose write failed are tried again. */
  nextTime(): number | undefined {
    let next: number | undefined
    for (const { restsUntil } of this.#resting) if (next === undefined || restsUntil < next) next = restsUntil
    return next
  }

  act(now: number): void {
    for (const graph of [...this.#resting]) {
      if (graph.restsUntil > now) continue
      this.#resting.delete(graph)
      this.add(graph)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pump
    await Promise.all(this.#writes)
  }

  async #run(): Promise<void> {
    const slice = new TimeSlice(SLICE_MS)
    // In a later turn: whoever reports a change must not wait for what follows from it.
    await Promise.resolve()
    for (;;) {
      const [graph] = this.#waiting
      if (graph === undefined || this.#closed) return
      this.#waiting.delete(graph)
      for (const node of graph.run.take(TURN)) await this.#start(slice, graph, () => this.#create(graph, node))
      for (const node of [...graph.cancels].slice(0, TURN)) {
        graph.cancels.delete(node)
        await this.#start(slice, graph, () => this.#cancel(graph, node))
      }
      if (graph.hasWork && graph.restsUntil <= this.#parts.clock.now()) this.#waiting.add(graph)
      else if (graph.hasWork) this.#resting.add(graph)
    }
  }

  async #start(slice: TimeSlice, graph: ActiveGraph, act: () => Promise<void>): Promise<void> {
    while (this.#writes.size >= MAX_WRITES) {
      await new Promise<void>((resolve) => {
        this.#onEnd = resolve
      })
    }
    await slice.next()
    const write = act()
      .catch((error: unknown) => {
        const { log, clock } = this.#parts
        graph.restsUntil = clock.now() + REST_MS
        log.warn(
          { err: error, graph: graph.name, namespace: graph.namespace },
          'a graph waits: a write did not succeed',
        )
        if (graph.hasWork) this.#resting.add(graph)
      })
      .finally(() => {
        this.#writes.delete(write)
        this.#onEnd?.()
      })
    this.#writes.add(write)
  }

  async #create(graph: ActiveGraph, node: GraphNode): Promise<void> {
    const { api, found, refused } = this.#parts
    const { namespace } = graph
    const exists = (name: string) => api.object(PROCESSES, { namespace, name }) !== undefined
    const process = processOfNode(graph.graph, node, graph.inputOf(node, exists))
    try {
      await api.create(PROCESSES, process)
    } catch (error) {
      const there =
        isStatusError(error, 'AlreadyExists') && api.get(PROCESSES, { namespace, name: process.metadata.name ?? '' })
      if (there) return found(graph, node, there)
      if (isStatusError(error, 'Invalid') || isStatusError(error, 'RequestEntityTooLarge'))
        return refused(graph, node, error)
      graph.run.release(node.name)
      throw error
    }
  }

  async #cancel(graph: ActiveGraph, node: string): Promise<void> {
    const name = graph.processOf(graph.run.node(node) ?? ({ name: node } as GraphNode))
    try {
      await this.#parts.api.change(PROCESSES, { namespace: graph.namespace, name }, (process) => {
        process.spec = { ...(process.spec as ProcessSpec), cancel: true }
      })
    } catch (error) {
      graph.cancels.add(node)
      throw error
    }
  }
}
