// Who owns whom in a namespace, and how each is, from the server's tables: metadata and cells of the kinds that the person may list,
// never whole objects. Kinds with objects are watched; of the others one object is asked for again now and then. It lives as long as a
// screen shows it, and a little longer, so that going from an owner to its children asks for nothing anew.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { client } from '../connection/client.ts'
import { collectionPath, type Kind } from '../kinds/kind.ts'
import { type ServedKinds, servedKinds } from '../kinds/served-kinds.ts'
import type { Health } from '../parts/health.ts'
import { rowHealth } from './row-health.ts'
import { Shown, useShown } from './shown.ts'
import { TableReplica } from './table-replica.ts'

export interface GraphNode {
  readonly uid: string
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  readonly owners: readonly GraphOwner[]
  readonly health: Health | undefined
  readonly word: string | undefined
}

export interface GraphOwner {
  readonly uid: string
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly controller?: boolean
}

export interface GraphState {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly phase: 'loading' | 'live'
  /** What is missing, as sentences. */
  readonly missing: readonly string[]
}

const EMPTY: GraphState = { nodes: new Map(), phase: 'loading', missing: [] }
/** They own nothing and nobody owns them, and there are many. */
const LEFT_OUT = new Set(['events', 'leases', 'componentstatuses'])
const AT_ONCE = 4
const AGAIN_MS = 30_000
/** Changes within it are one new graph. */
const TOGETHER_MS = 150
const LINGER_MS = 15_000

class OwnerGraph {
  readonly state = new Shown(EMPTY)
  readonly #namespace: string | undefined
  readonly #ending = new AbortController()
  readonly #replicas = new Map<Kind, TableReplica>()
  readonly #refused = new Set<string>()
  #building = false
  users = 0

  constructor(kinds: ServedKinds, namespace: string | undefined) {
    this.#namespace = namespace
    void this.#run(
      kinds.all.filter((kind) => !LEFT_OUT.has(kind.resource) && (kind.namespaced || namespace === undefined)),
    )
  }

  close(): void {
    this.#ending.abort()
    for (const replica of this.#replicas.values()) replica.close()
  }

  async #run(kinds: readonly Kind[]): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const waiting = kinds.filter((kind) => !this.#replicas.has(kind) && !this.#refused.has(kind.kind))
      const next = async (): Promise<void> => {
        for (let kind = waiting.shift(); kind !== undefined && !signal.aborted; kind = waiting.shift())
          await this.#look(kind, signal)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, next))
      if (signal.aborted) return
      this.#build('live')
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }

  /** Follows the kind when it has objects here. */
  async #look(kind: Kind, signal: AbortSignal): Promise<void> {
    const path = `${collectionPath(kind, kind.namespaced ? this.#namespace : undefined)}?limit=1`
    const headers = { Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json' }
    try {
      const { items } = (await client.requestJson({ method: 'GET', path, headers, signal })) as { items?: unknown[] }
      if (signal.aborted || !items?.length) return
      const replica = new TableReplica(kind, { namespace: this.#namespace })
      this.#replicas.set(kind, replica)
      replica.state.subscribe(() => this.#changed())
    } catch (error) {
      if (isStatusError(error, 'Forbidden')) this.#refused.add(kind.kind)
    }
  }

  #changed(): void {
    if (this.#building) return
    this.#building = true
    setTimeout(() => {
      this.#building = false
      if (!this.#ending.signal.aborted) this.#build(this.state.value.phase)
    }, TOGETHER_MS)
  }

  #build(phase: GraphState['phase']): void {
    const nodes = new Map<string, GraphNode>()
    const cut: string[] = []
    for (const [kind, { state }] of this.#replicas) {
      const { columns, rows, phase } = state.value
      if (phase === 'partial') cut.push(kind.kind)
      for (const row of rows) {
        const { uid, namespace, name } = row
        const owners = row.metadata.ownerReferences ?? []
        nodes.set(uid, { uid, kind, namespace, name, owners, ...rowHealth(columns, row) })
      }
    }
    const missing = [
      ...(this.#refused.size > 0 ? [`You may not list ${[...this.#refused].sort().join(', ')}.`] : []),
      ...(cut.length > 0 ? [`Of ${cut.join(', ')} there are more than the page holds.`] : []),
    ]
    this.state.set({ nodes, phase, missing })
  }
}

const graphs = new Map<string, OwnerGraph>()

/** Undefined is every namespace, for objects that are in none. */
export function useOwnerGraph(namespace: string | undefined): GraphState {
  const kinds = useShown(servedKinds)
  const [shown, setShown] = useState<Shown<GraphState>>(nothing)
  useEffect(() => {
    if (kinds === undefined) return
    const key = namespace ?? ''
    const graph = graphs.get(key) ?? new OwnerGraph(kinds, namespace)
    graphs.set(key, graph)
    graph.users += 1
    setShown(graph.state)
    return () => {
      graph.users -= 1
      setTimeout(() => {
        if (graph.users > 0 || graphs.get(key) !== graph) return
        graphs.delete(key)
        graph.close()
      }, LINGER_MS)
    }
  }, [kinds, namespace])
  return useShown(shown)
}

const nothing = new Shown(EMPTY)
