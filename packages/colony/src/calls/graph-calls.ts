// `POST processes/{name}/nodes`: a running Process adds nodes to its graph, behind the fence of its attempt.
// `GET processes/{name}/input`: one output of a large input, for the executor that holds the Process.
// `POST processgraphs/{name}/rerun`: a graph that has ended is run again as a new one.

import type { Api, ExtensionAnswer, ExtensionRequest } from '@homeostat/apiserver'
import type { AddNodesRequest, GraphNode } from '@homeostat/executor/graphs'
import type { Process } from '@homeostat/executor/protocol'
import { badRequest, conflict, deepEqual, invalid, notFound, writeJson } from '@homeostat/meta'
import { invalidValue } from '@homeostat/meta/server'
import { checkGraph, placed } from '../graph/check-graph.ts'
import type { ActiveGraph } from '../graphs/active-graph.ts'
import type { GraphController } from '../graphs/graph-controller.ts'
import { processAt } from '../graphs/graph-nodes.ts'
import { rerunGraph } from '../graphs/rerun-graph.ts'
import { actingAs } from '../kinds/executor-permissions.ts'
import { notTheHolder, PROCESSES } from '../kinds/resources.ts'
import type { TransitionWriter } from '../processes/transition-writer.ts'
import { hash32 } from '../queue/hash32.ts'
import { processFacts } from '../queue/process-facts.ts'
import { nodesAdded } from '../queue/transitions.ts'
import type { Callers } from './callers.ts'
import { readAddNodes } from './read-nodes.ts'

export interface GraphCallParts {
  readonly api: Api
  readonly graphs: GraphController
  readonly writer: TransitionWriter
  readonly callers: Callers
  now(): number
}

/** Limits for what one Process adds. */
const MAX_ADDED = 1000
const MAX_BYTES = 256 << 10

export class GraphCalls {
  readonly #parts: GraphCallParts

  constructor(parts: GraphCallParts) {
    this.#parts = parts
  }

  /** Nodes that are there already and equal are accepted: a response can be lost, and an attempt can be repeated. */
  async addNodes(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { api, callers, graphs } = this.#parts
    const { namespace = '', name } = request
    const call = readAddNodes(await request.json())
    await request.requirePermission(actingAs({ namespace, name: call.executor }))
    callers.heardByName({ namespace, name: call.executor })
    const process = api.get(PROCESSES, { namespace, name })
    if (process === undefined) throw notFound(PROCESSES, name)
    const { graph } = processFacts(process, 0)
    if (graph === undefined)
      throw conflict(PROCESSES, name, 'the Process is not of a graph, and has nothing to add nodes to')
    const active = graphs.byUid(graph.uid)
    if (active === undefined) throw conflict(PROCESSES, name, 'its graph has ended')
    const added = active.additions.then(() => this.#add(active, namespace, name, call))
    active.additions = added.catch(() => {})
    return { body: { added: await added } }
  }

  async readInput(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { api } = this.#parts
    const { namespace = '', name, query } = request
    const executor = query.get('executor') ?? ''
    const index = Number(query.get('index') ?? '')
    await request.requirePermission(actingAs({ namespace, name: executor }))
    const process = processAt(api, namespace, name)
    if (process === undefined) throw notFound(PROCESSES, name)
    const { phase, attempt, executor: holder } = process.status
    if (phase !== 'Running' || holder !== executor || String(attempt) !== query.get('attempt')) {
      throw notTheHolder(name, `executor ${executor} does not run it in attempt ${query.get('attempt')}`)
    }
    const parent = process.spec.inputFrom?.[index]
    if (parent === undefined) throw badRequest(`index must be from 0 to ${(process.spec.inputFrom?.length ?? 0) - 1}`)
    const output = parent === '' ? undefined : processAt(api, namespace, parent)?.status.output
    return {
      contentType: 'application/json',
      body: writeJson({ output: output ?? null } as Parameters<typeof writeJson>[0]),
    }
  }

  async rerun(request: ExtensionRequest): Promise<ExtensionAnswer> {
    const { api, now } = this.#parts
    const { namespace = '', name } = request
    const body = ((await request.json()) ?? {}) as { name?: unknown }
    if (body.name !== undefined && typeof body.name !== 'string') throw badRequest('name must be a text')
    const suffix = hash32(`${namespace}/${name}/${now()}`).toString(36)
    const newName = body.name ?? `${name.slice(0, 40).replace(/-+$/, '')}-rerun-${suffix}`
    return { status: 201, body: await rerunGraph(api, namespace, name, newName) }
  }

  async #add(active: ActiveGraph, namespace: string, name: string, call: AddNodesRequest): Promise<string[]> {
    const fresh = call.nodes.filter((node) => !isThere(active, node))
    const existing = new Set([...active.run.nodes()].map((node) => node.name))
    const problems = checkGraph(placed(fresh, 'nodes'), existing)
    if (problems.length > 0) {
      const causes = problems.map(({ field, value, message }) => invalidValue(field, value, message))
      throw invalid({ group: 'colonies.io', kind: 'ProcessGraph' }, active.name, causes)
    }
    const { writer } = this.#parts
    await writer.write({ namespace, name }, (_spec, status) => {
      const next = nodesAdded(status, call.executor, call.attempt, fresh)
      if (next !== undefined && 'addedNodes' in next) checkSize(next.addedNodes ?? [])
      return next
    })
    return fresh.map((node) => node.name)
  }
}

function isThere(active: ActiveGraph, node: GraphNode): boolean {
  const known = active.run.node(node.name)
  return known !== undefined && deepEqual(known, node)
}

function checkSize(nodes: NonNullable<Process['status']['addedNodes']>): void {
  if (nodes.length > MAX_ADDED) throw badRequest(`a Process adds at most ${MAX_ADDED} nodes; let added nodes add more`)
  if (Buffer.byteLength(writeJson(nodes as unknown as Parameters<typeof writeJson>[0])) <= MAX_BYTES) return
  throw badRequest(`the nodes that a Process adds have at most ${MAX_BYTES >> 10} KiB; let added nodes add more`)
}
