// Who owns whom in a namespace, and how each is, from the server's tables: metadata and cells of the kinds that the person may list,
// never whole objects. Kinds with objects are watched, and which these are is asked again now and then. It lives as long as a screen shows
// it, and a little longer, so that going from an owner to its children asks for nothing anew.

import { isStatusError } from '@homeostat/meta'
import { useEffect, useState } from 'react'
import { client } from '../connection/client.ts'
import { collectionPath, type Kind } from '../kinds/kind.ts'
import { servedKinds } from '../kinds/served-kinds.ts'
import type { Health } from '../parts/health.ts'
import { heldKinds, rulesIn } from './held-kinds.ts'
import { allowsList, type Rule } from './list-rules.ts'
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
/** Two questions tell which kinds have objects; of a server that cannot tell, one is asked for each kind. */
const AGAIN_MS = 5000
const ONE_BY_ONE_MS = 30_000
/** Changes within it are one new graph. */
const TOGETHER_MS = 150
const LINGER_MS = 15_000
/** Of the kinds that one may not list. */
const MOST_NAMED = 8

class OwnerGraph {
  readonly state = new Shown(EMPTY)
  readonly #namespace: string | undefined
  readonly #ending = new AbortController()
  /** By group and resource, as below: a kind that is served anew stays the same one. */
  readonly #followed = new Map<string, { readonly kind: Kind; readonly replica: TableReplica }>()
  readonly #refused = new Map<string, string>()
  #rules: readonly Rule[] | undefined
  #building = false
  #hasLooked = false
  users = 0

  constructor(namespace: string | undefined) {
    this.#namespace = namespace
    void this.#run()
  }

  close(): void {
    this.#ending.abort()
    for (const { replica } of this.#followed.values()) replica.close()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        const has = await heldKinds(this.#namespace, signal)
        // Of a server that is asked kind by kind, the answers tell what one may not list.
        if (has !== undefined) this.#rules ??= await rulesIn(this.#namespace, signal)
        await this.#lookAt(this.#unseen(has), has !== undefined, signal)
        if (signal.aborted) return
        this.#hasLooked = true
        this.#build()
        await pause(has === undefined ? ONE_BY_ONE_MS : AGAIN_MS)
      } catch {
        // Nobody answers while the server is away: what was known stays, and the shell says so.
        await pause(AGAIN_MS)
      }
    }
  }

  /** The kinds that are not followed yet and may have objects here; also those that are served since. */
  #unseen(has: ((kind: Kind) => boolean) | undefined): Kind[] {
    const kinds = (servedKinds.value?.all ?? []).filter(
      (kind) => !LEFT_OUT.has(kind.resource) && (kind.namespaced || this.#namespace === undefined),
    )
    for (const kind of kinds) if (!allowsList(this.#rules, kind)) this.#refused.set(keyOf(kind), kind.kind)
    return kinds.filter(
      (kind) => !this.#followed.has(keyOf(kind)) && !this.#refused.has(keyOf(kind)) && has?.(kind) !== false,
    )
  }

  async #lookAt(waiting: Kind[], isHeld: boolean, signal: AbortSignal): Promise<void> {
    // What one may do in a namespace says nothing about all of them.
    const isKnown = isHeld && this.#namespace !== undefined
    const next = async (): Promise<void> => {
      for (let kind = waiting.shift(); kind !== undefined && !signal.aborted; kind = waiting.shift()) {
        if (isKnown) this.#follow(kind)
        else await this.#look(kind, signal)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, next))
  }

  /** Follows the kind when it has objects here. */
  async #look(kind: Kind, signal: AbortSignal): Promise<void> {
    const path = `${collectionPath(kind, kind.namespaced ? this.#namespace : undefined)}?limit=1`
    const headers = { Accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json' }
    try {
      const { items } = (await client.requestJson({ method: 'GET', path, headers, signal })) as { items?: unknown[] }
      if (!signal.aborted && items?.length) this.#follow(kind)
    } catch (error) {
      if (isStatusError(error, 'Forbidden')) this.#refused.set(keyOf(kind), kind.kind)
    }
  }

  #follow(kind: Kind): void {
    const replica = new TableReplica(kind, { namespace: this.#namespace })
    this.#followed.set(keyOf(kind), { kind, replica })
    replica.state.subscribe(() => this.#changed())
  }

  #changed(): void {
    if (this.#building) return
    this.#building = true
    setTimeout(() => {
      this.#building = false
      if (!this.#ending.signal.aborted) this.#build()
    }, TOGETHER_MS)
  }

  #build(): void {
    const nodes = new Map<string, GraphNode>()
    const cut: string[] = []
    let phase: GraphState['phase'] = this.#hasLooked ? 'live' : 'loading'
    for (const { kind, replica } of this.#followed.values()) {
      const { columns, rows, trouble, ...state } = replica.state.value
      if (state.phase === 'partial') cut.push(kind.kind)
      if (state.phase === 'loading' && trouble === undefined) phase = 'loading'
      for (const row of rows) {
        const { uid, namespace, name } = row
        const owners = row.metadata.ownerReferences ?? []
        nodes.set(uid, { uid, kind, namespace, name, owners, ...rowHealth(columns, row) })
      }
    }
    const missing = [
      ...(this.#refused.size > 0 ? [`You may not list ${someOf([...new Set(this.#refused.values())].sort())}.`] : []),
      ...(cut.length > 0 ? [`Of ${cut.join(', ')} there are more than the page holds.`] : []),
    ]
    this.state.set({ nodes, phase, missing })
  }
}

const graphs = new Map<string, OwnerGraph>()

/** Undefined is every namespace, for objects that are in none. */
export function useOwnerGraph(namespace: string | undefined): GraphState {
  const [shown, setShown] = useState<Shown<GraphState>>(nothing)
  useEffect(() => {
    const key = namespace ?? ''
    const graph = graphs.get(key) ?? new OwnerGraph(namespace)
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
  }, [namespace])
  return useShown(shown)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ')
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more kinds` : shown
}

function keyOf({ group, resource }: Kind): string {
  return `${group}/${resource}`
}

const nothing = new Shown(EMPTY)
