// A graph while it runs: which nodes may begin, which were decided without running, and how the whole ends. Pure, a state
// machine over the committed phases of the nodes' Processes; after a crash it is filled from those and nothing else.

import type { GraphNode, NodePhase, OnFailure } from '@homeostat/executor/graphs'
import { holds } from './when.ts'

/** Ready: it may begin, and nobody has begun it. Releasing: its Process is being written. */
type State = NodePhase | 'Ready' | 'Releasing'

interface Entry {
  readonly node: GraphNode
  readonly parents: readonly Entry[]
  readonly children: Entry[]
  /** How many parents have not ended. */
  open: number
  state: State
}

export interface GraphRunOptions {
  /** For nodes that do not say. Default fail. */
  readonly onFailure?: OnFailure | undefined
  /** The output of a node that has ended, for conditions. */
  output(node: GraphNode): unknown
}

const ENDED: ReadonlySet<State> = new Set<State>(['Succeeded', 'Failed', 'Cancelled', 'Skipped'])

export class GraphRun {
  readonly #options: GraphRunOptions
  readonly #entries = new Map<string, Entry>()
  readonly #counts = new Map<State, number>()
  readonly #ready = new Set<Entry>()
  readonly #failed: string[] = []
  #hasCancelled = false
  #hasFailed = false
  #cancelled = false

  constructor(nodes: readonly GraphNode[], options: GraphRunOptions) {
    this.#options = options
    this.add(nodes)
  }

  get size(): number {
    return this.#entries.size
  }

  get isCancelled(): boolean {
    return this.#cancelled
  }

  /** Nodes that may begin and were not taken. */
  get readyCount(): number {
    return this.#ready.size
  }

  get isOver(): boolean {
    let ended = 0
    for (const state of ENDED) ended += this.count(state as NodePhase)
    return ended === this.#entries.size
  }

  /** Adds checked nodes. They may come in any order, and depend on nodes that have ended. */
  add(nodes: readonly GraphNode[]): void {
    const added = nodes.filter(({ name }) => !this.#entries.has(name))
    const entries = added.map((node): Entry & { parents: Entry[] } => {
      const entry = { node, parents: [], children: [], open: 0, state: 'Pending' as State }
      this.#entries.set(node.name, entry)
      this.#counted('Pending', 1)
      return entry
    })
    for (const entry of entries) {
      for (const name of entry.node.dependencies ?? []) {
        const parent = this.#entries.get(name)
        if (parent === undefined) continue
        entry.parents.push(parent)
        parent.children.push(entry)
        if (!ENDED.has(parent.state)) entry.open += 1
      }
    }
    this.#decideAll(entries.filter(({ open, state }) => open === 0 && state === 'Pending'))
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  node(name: string): GraphNode | undefined {
    return this.#entries.get(name)?.node
  }

  *nodes(): Generator<GraphNode> {
    for (const { node } of this.#entries.values()) yield node
  }

  phaseOf(name: string): NodePhase | undefined {
    const state = this.#entries.get(name)?.state
    return state === 'Ready' || state === 'Releasing' ? 'Pending' : state
  }

  /** Hands out up to `limit` nodes that may begin, each once. */
  take(limit: number): GraphNode[] {
    const taken: GraphNode[] = []
    for (const entry of this.#ready) {
      if (taken.length >= limit) break
      this.#move(entry, 'Releasing')
      taken.push(entry.node)
    }
    return taken
  }

  /** The write of a taken node did not succeed: it can be taken again. */
  release(name: string): void {
    const entry = this.#entries.get(name)
    if (entry?.state !== 'Releasing') return
    if (this.#cancelled) this.#end(entry, 'Cancelled')
    else this.#move(entry, 'Ready')
  }

  /** The committed phase of a node's Process. A node that has ended stays as it ended. */
  changed(name: string, phase: 'Waiting' | 'Running' | 'Succeeded' | 'Failed' | 'Cancelled'): void {
    const entry = this.#entries.get(name)
    if (entry === undefined || ENDED.has(entry.state) || entry.state === phase) return
    if (ENDED.has(phase)) this.#end(entry, phase)
    else this.#move(entry, phase)
  }

  /** Nodes without a Process end here; those with one end when their Process does. */
  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    const idle = [...this.#entries.values()].filter(({ state }) => state === 'Pending' || state === 'Ready')
    for (const entry of idle) if (!ENDED.has(entry.state)) this.#end(entry, 'Cancelled')
  }

  /** Nodes whose Process waits or runs. */
  *active(): Generator<GraphNode> {
    for (const { node, state } of this.#entries.values()) if (state === 'Waiting' || state === 'Running') yield node
  }

  count(phase: NodePhase): number {
    const count = this.#counts.get(phase) ?? 0
    if (phase !== 'Pending') return count
    return count + (this.#counts.get('Ready') ?? 0) + (this.#counts.get('Releasing') ?? 0)
  }

  /** The first failed nodes. */
  failed(limit: number): string[] {
    return this.#failed.slice(0, limit)
  }

  /** How the graph ends; undefined while a node has not ended. */
  get result(): 'Succeeded' | 'Failed' | 'Cancelled' | undefined {
    if (!this.isOver) return undefined
    if (this.#cancelled && this.count('Cancelled') > 0) return 'Cancelled'
    if (this.#hasFailed) return 'Failed'
    return this.#hasCancelled ? 'Cancelled' : 'Succeeded'
  }

  #end(entry: Entry, phase: NodePhase): void {
    this.#decideAll(this.#settle(entry, phase))
  }

  /** With a list instead of recursion, since a graph may be thousands of nodes deep. */
  #decideAll(undecided: Entry[]): void {
    for (const entry of undecided) {
      if (entry.state !== 'Pending') continue
      const state = this.#decide(entry)
      if (state === 'Ready') this.#move(entry, state)
      else for (const free of this.#settle(entry, state)) undecided.push(free)
    }
  }

  /** Ends a node, and returns the children whose last open parent it was. */
  #settle(entry: Entry, phase: NodePhase): Entry[] {
    this.#move(entry, phase)
    const isFatal = this.#onFailure(entry) === 'fail'
    if (phase === 'Failed') {
      this.#failed.push(entry.node.name)
      this.#hasFailed ||= isFatal
    }
    if (phase === 'Cancelled') this.#hasCancelled ||= isFatal
    const free: Entry[] = []
    for (const child of entry.children) {
      child.open -= 1
      if (child.open === 0) free.push(child)
    }
    return free
  }

  /** What becomes of a node whose parents have all ended. */
  #decide({ node, parents }: Entry): 'Ready' | 'Succeeded' | 'Failed' | 'Cancelled' | 'Skipped' {
    if (this.#cancelled) return 'Cancelled'
    const { when = [] } = node
    // A condition on the phase of a parent takes the parent's failure into account.
    const handled = new Set(when.flatMap((condition) => (condition.phase === undefined ? [] : [condition.node])))
    const others = parents.filter((parent) => !handled.has(parent.node.name))
    const fatal = others.filter((parent) => this.#onFailure(parent) === 'fail')
    if (fatal.some(({ state }) => state === 'Failed')) return 'Failed'
    if (fatal.some(({ state }) => state === 'Cancelled')) return 'Cancelled'
    if (others.length === parents.length && parents.length > 0 && parents.every(({ state }) => state === 'Skipped')) {
      return 'Skipped'
    }
    if (when.length > 0 && !holds(when, (name) => this.#endedParent(parents, name))) return 'Skipped'
    return node.reuse === undefined ? 'Ready' : 'Succeeded'
  }

  #endedParent(parents: readonly Entry[], name: string) {
    const parent = parents.find(({ node }) => node.name === name)
    return parent && { phase: parent.state as NodePhase, output: () => this.#options.output(parent.node) }
  }

  #onFailure({ node }: Entry): OnFailure {
    return node.onFailure ?? this.#options.onFailure ?? 'fail'
  }

  #move(entry: Entry, state: State): void {
    this.#counted(entry.state, -1)
    this.#counted(state, 1)
    entry.state = state
    if (state === 'Ready') this.#ready.add(entry)
    else this.#ready.delete(entry)
  }

  #counted(state: State, difference: 1 | -1): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + difference)
  }
}
