// Runs graphs: releases nodes when their dependencies have ended, cancels, and writes the status at most once a second. What it
// knows follows from the committed graphs and Processes; after a crash it is built from those.

import type { Api, CachedObject, ObjectChange } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import type { GraphNode, ProcessGraph } from '@homeostat/executor/graphs'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import type { ColonyEvents } from '../events/colony-events.ts'
import { GRAPH_PARTS, GRAPHS, keyOf, nameOf } from '../kinds/resources.ts'
import { processFacts } from '../queue/process-facts.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { followObjects } from '../state/follow-objects.ts'
import type { StateListener } from '../state/state-listener.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import { ActiveGraph } from './active-graph.ts'
import { EndedGraphs } from './ended-graphs.ts'
import type { GraphMetrics } from './graph-metrics.ts'
import { processAt, submittedNodes } from './graph-nodes.ts'
import { regardingGraph } from './graph-status.ts'
import { GraphStatusWriter } from './graph-status-writer.ts'
import { GraphWrites } from './graph-writes.ts'

export interface GraphParts {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly events: Pick<ColonyEvents, 'record'>
  readonly writes: BackgroundWrites
  readonly metrics: GraphMetrics
  /** Something may be due at another time. */
  update(): void
}

/** Hears of every committed graph; `graph` is undefined when it was deleted. */
export type GraphListener = (key: string, graph: ProcessGraph | undefined, uid: string) => void

export class GraphController implements StateListener, TimedWork {
  readonly #parts: GraphParts
  /** By uid. */
  readonly #active = new Map<string, ActiveGraph>()
  /** How many active graphs reuse the output of a Process, by its key. */
  readonly #reused = new Map<string, number>()
  readonly #ended: EndedGraphs
  readonly #releases: GraphWrites
  readonly #statuses: GraphStatusWriter
  readonly #stops: (() => void)[] = []
  #listeners: readonly GraphListener[] = []

  constructor(parts: GraphParts) {
    this.#parts = parts
    this.#ended = new EndedGraphs(parts)
    this.#statuses = new GraphStatusWriter(parts)
    this.#releases = new GraphWrites({
      ...parts,
      found: (graph, node, process) => this.#found(graph, node, process),
      refused: (graph, node, error) => this.#refused(graph, node, error),
    })
  }

  /** Call when all Processes have been read. Resolves when all graphs have. */
  async open(listeners: readonly GraphListener[] = []): Promise<void> {
    this.#listeners = listeners
    const { api, log } = this.#parts
    const unreadable = (name: string, error: unknown) =>
      log.error({ err: error, graph: name }, 'a graph cannot be handled; it is ignored')
    await followObjects(api, GRAPHS, { read: (change) => this.#graph(change), unreadable, stops: this.#stops })
    await followObjects(api, GRAPH_PARTS, { read: (change) => this.#part(change), unreadable, stops: this.#stops })
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    await this.#releases.close()
  }

  get active(): Iterable<ActiveGraph> {
    return this.#active.values()
  }

  byUid(uid: string): ActiveGraph | undefined {
    return this.#active.get(uid)
  }

  /** Whether a graph that has not ended needs the output of the Process. */
  isNeeded(process: QueuedProcess): boolean {
    if (process.graph !== undefined && this.#active.has(process.graph.uid)) return true
    return this.#reused.size > 0 && this.#reused.has(keyOf(process))
  }

  processChanged(process: QueuedProcess): void {
    const active = process.graph && this.#active.get(process.graph.uid)
    if (active === undefined) return
    this.#apply(active, process)
    this.#changed(active)
  }

  /** What was deleted while the graph ran counts as it was, and as failed when it had not ended. */
  processGone(_before: QueuedProcess | undefined, _uid: string, last: QueuedProcess | undefined): void {
    const active = last?.graph && this.#active.get(last.graph.uid)
    if (active === undefined || last?.graph === undefined) return
    this.#remove(active, last.graph.node, last.result ?? 'Failed')
  }

  nextTime(): number | undefined {
    return earliest(this.#statuses.nextTime(), this.#releases.nextTime(), this.#ended.nextTime())
  }

  act(now: number): void {
    this.#releases.act(now)
    this.#statuses.act(now)
    this.#ended.act(now)
  }

  #graph({ object, previous }: ObjectChange): void {
    const key = (object ?? previous)?.name ?? ''
    const graph = this.#parse(object)
    const uid = graph?.metadata.uid ?? this.#parse(previous)?.metadata.uid ?? ''
    if (graph === undefined || graph.metadata.deletionTimestamp !== undefined) this.#forget(uid)
    else if (graph.status?.finishedAt !== undefined) {
      this.#forget(uid)
      this.#ended.add(graph)
    } else this.#follow(graph, this.#active.get(uid) ?? this.#begin(graph))
    for (const listener of this.#listeners) listener(key, graph, uid)
  }

  #follow({ spec }: ProcessGraph, active: ActiveGraph | undefined): void {
    if (active === undefined || !spec.cancel || active.run.isCancelled) return
    active.run.cancel()
    for (const { name } of active.run.active()) active.cancels.add(name)
    this.#changed(active)
  }

  /** A graph that was submitted, or that the server finds at its start. */
  #begin(graph: ProcessGraph): ActiveGraph | undefined {
    const { api, log } = this.#parts
    const { namespace = '', uid = '' } = graph.metadata
    const nodes = submittedNodes(api, graph)
    if (nodes === undefined) {
      log.error({ graph: graph.metadata.name, namespace }, 'a part of a graph is missing; the graph fails')
      this.#statuses.fail(graph, 'PartMissing', `one of its parts is missing: ${graph.spec.parts?.join(', ')}`)
      return undefined
    }
    const active = new ActiveGraph(graph, nodes, (process) => processAt(api, namespace, process)?.status.output)
    this.#active.set(uid, active)
    this.#ended.adopt(graph)
    for (const node of active.run.nodes()) {
      if (node.reuse !== undefined) this.#hold(active, node.reuse, 1)
      else this.#read(active, node)
    }
    this.#changed(active)
    return active
  }

  #forget(uid: string): void {
    this.#ended.delete(uid)
    const active = this.#active.get(uid)
    if (active === undefined) return
    this.#active.delete(uid)
    this.#releases.remove(active)
    this.#statuses.remove(active)
    for (const { reuse } of active.run.nodes()) if (reuse !== undefined) this.#hold(active, reuse, -1)
  }

  #hold({ namespace }: ActiveGraph, process: string, difference: 1 | -1): void {
    const key = keyOf({ namespace, name: process })
    const count = (this.#reused.get(key) ?? 0) + difference
    if (count > 0) this.#reused.set(key, count)
    else this.#reused.delete(key)
  }

  #read(active: ActiveGraph, node: GraphNode): void {
    const { api } = this.#parts
    const process = processAt(api, active.namespace, active.processOf(node))
    if (process !== undefined) this.#apply(active, processFacts(process as unknown as KubeObject, 0))
  }

  #apply(active: ActiveGraph, process: QueuedProcess): void {
    const { graph, phase, result, cancel, addedNodes = 0 } = process
    const node = graph?.node ?? ''
    active.startedAt ??= process.submittedAt
    // Before its end, so that a graph is never over while nodes come.
    if (addedNodes > 0) this.#addNodes(active, process)
    active.run.changed(node, result ?? (phase === 'Running' ? 'Running' : 'Waiting'))
    if (active.run.isCancelled && result === undefined && !cancel) active.cancels.add(node)
    else active.cancels.delete(node)
  }

  #addNodes(active: ActiveGraph, { namespace, name }: QueuedProcess): void {
    const added = (processAt(this.#parts.api, namespace, name)?.status.addedNodes ?? []) as readonly GraphNode[]
    if (added.every((node) => active.run.has(node.name))) return
    active.run.add(added)
    for (const node of added) this.#read(active, node)
  }

  #changed(active: ActiveGraph): void {
    this.#releases.add(active)
    this.#statuses.add(active)
    this.#parts.update()
  }

  #found(active: ActiveGraph, node: GraphNode, process: KubeObject): void {
    const facts = processFacts(process, 0)
    if (facts.graph?.uid === active.uid) this.#apply(active, facts)
    else this.#refused(active, node, new Error(`another Process has the name ${process.metadata.name}`))
    this.#changed(active)
  }

  #refused(active: ActiveGraph, node: GraphNode, error: unknown): void {
    const message = `node ${node.name} cannot become a Process: ${isStatusError(error) ? error.message : String(error)}`
    this.#parts.events.record(regardingGraph(active.graph), { type: 'Warning', reason: 'NodeRefused', message })
    this.#remove(active, node.name, 'Failed')
  }

  #remove(active: ActiveGraph, node: string, phase: 'Succeeded' | 'Failed' | 'Cancelled'): void {
    active.removed.push({ name: node, phase })
    active.run.changed(node, phase)
    this.#changed(active)
  }

  #part({ object }: ObjectChange): void {
    if (object !== undefined) this.#ended.part(nameOf(object.name), this.#parts.api.parsed(GRAPH_PARTS, object))
  }

  #parse(object: CachedObject | undefined): ProcessGraph | undefined {
    return object && (this.#parts.api.parsed(GRAPHS, object) as unknown as ProcessGraph | undefined)
  }
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((a, b) => (a === undefined ? b : b === undefined ? a : Math.min(a, b)), undefined)
}
