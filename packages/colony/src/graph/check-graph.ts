// Checks the nodes of a graph: unique names, known dependencies, no cycle, conditions on parents only. Pure, and linear in
// nodes and dependencies. The rules of the kind call it at submit.

import type { GraphNode } from '@homeostat/executor/graphs'

export interface GraphProblem {
  /** Below `spec`, e.g. `nodes[3].dependencies[0]`. */
  readonly field: string
  readonly value: unknown
  readonly message: string
}

/** A node, with the field that it is in. */
export interface PlacedNode {
  readonly node: GraphNode
  readonly field: string
}

/** More are not told, since one mistake can make thousands. */
const MAX_PROBLEMS = 20
/** So many names of a cycle are told. */
const MAX_CYCLE = 20
const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

export function placed(nodes: readonly GraphNode[], list: string): PlacedNode[] {
  return nodes.map((node, index) => ({ node, field: `${list}[${index}]` }))
}

/** `existing` are nodes that are in the graph already, when others are added to it. */
export function checkGraph(nodes: readonly PlacedNode[], existing: ReadonlySet<string> = new Set()): GraphProblem[] {
  const problems: GraphProblem[] = []
  const byName = new Map<string, PlacedNode>()
  for (const one of nodes) {
    const { name } = one.node
    if (!NAME.test(name)) problems.push({ field: `${one.field}.name`, value: name, message: NAME_RULE })
    if (byName.has(name) || existing.has(name)) {
      problems.push({ field: `${one.field}.name`, value: name, message: 'is the name of another node, too' })
    }
    byName.set(name, one)
  }
  for (const one of nodes) problems.push(...nodeProblems(one, (name) => byName.has(name) || existing.has(name)))
  if (problems.length === 0) problems.push(...cycleProblems(nodes, byName))
  return problems.slice(0, MAX_PROBLEMS)
}

const NAME_RULE = 'must be letters, digits, "-", "_" and ".", at most 63, with a letter or digit at both ends'

function nodeProblems({ node, field }: PlacedNode, isKnown: (name: string) => boolean): GraphProblem[] {
  const problems: GraphProblem[] = []
  const parents = new Set<string>()
  for (const [index, name] of (node.dependencies ?? []).entries()) {
    const at = { field: `${field}.dependencies[${index}]`, value: name }
    if (!isKnown(name)) problems.push({ ...at, message: `is no node of the graph; ${node.name} cannot depend on it` })
    if (parents.has(name)) problems.push({ ...at, message: 'is named twice' })
    parents.add(name)
  }
  for (const [index, { node: parent, phase, pointer }] of (node.when ?? []).entries()) {
    const at = `${field}.when[${index}]`
    if (!parents.has(parent)) {
      problems.push({ field: `${at}.node`, value: parent, message: `must be a dependency of ${node.name}` })
    }
    if (phase === undefined && pointer === undefined) {
      problems.push({ field: at, value: parent, message: 'must have a phase or a pointer' })
    }
    if (pointer !== undefined && pointer !== '' && !pointer.startsWith('/')) {
      problems.push({ field: `${at}.pointer`, value: pointer, message: 'must be empty or begin with "/"' })
    }
  }
  return problems
}

/** Takes away nodes without open parents until none is left: what is left is in a cycle, or behind one. */
function cycleProblems(nodes: readonly PlacedNode[], byName: ReadonlyMap<string, PlacedNode>): GraphProblem[] {
  const open = new Map<string, number>()
  const children = new Map<string, string[]>()
  for (const { node } of nodes) {
    const parents = (node.dependencies ?? []).filter((name) => byName.has(name))
    open.set(node.name, parents.length)
    for (const parent of parents) {
      const others = children.get(parent)
      if (others === undefined) children.set(parent, [node.name])
      else others.push(node.name)
    }
  }
  const free = [...open].flatMap(([name, count]) => (count === 0 ? [name] : []))
  for (const name of free) {
    open.delete(name)
    for (const child of children.get(name) ?? []) {
      const left = (open.get(child) ?? 0) - 1
      open.set(child, left)
      if (left === 0) free.push(child)
    }
  }
  const [first] = open.keys()
  if (first === undefined) return []
  const cycle = cycleFrom(first, (name) => byName.get(name)?.node.dependencies?.find((parent) => open.has(parent)))
  const field = byName.get(cycle[0] ?? first)?.field ?? 'nodes'
  return [{ field: `${field}.dependencies`, value: cycle[0], message: `is in a cycle: ${cycleText(cycle)}` }]
}

/** Goes from parent to parent until a node comes again. What is left of a graph always has such a parent. */
function cycleFrom(first: string, parentOf: (name: string) => string | undefined): string[] {
  const path: string[] = []
  const places = new Map<string, number>()
  let name = first
  for (;;) {
    const place = places.get(name)
    if (place !== undefined) return path.slice(place).reverse()
    places.set(name, path.length)
    path.push(name)
    const parent = parentOf(name)
    if (parent === undefined) return path.reverse()
    name = parent
  }
}

/** In the order of the work: `a -> b -> a` means that b waits for a, and a for b. */
function cycleText(cycle: readonly string[]): string {
  const first = cycle[0] ?? ''
  if (cycle.length <= MAX_CYCLE) return [...cycle, first].join(' -> ')
  const left = cycle.length - MAX_CYCLE
  return `${cycle.slice(0, MAX_CYCLE).join(' -> ')} -> … ${left} more -> ${first}`
}
