// Draws a graph as text: a node stands below what it waits for last. Pure.

import type { GraphNode, NodePhase, ProcessGraph } from '@homeostat/executor/graphs'
import type { Paint, Tone } from '../../output/style.ts'

export interface DrawnNode {
  readonly node: GraphNode
  readonly phase: NodePhase
  /** A few words more, such as its executor or its error. */
  readonly detail?: string | undefined
}

export interface Drawing {
  readonly graph: ProcessGraph
  readonly nodes: readonly DrawnNode[]
  /** More nodes than this are counted, not drawn. */
  readonly maxNodes: number
  readonly paint: Paint
}

const MARKS: Readonly<Record<NodePhase, readonly [mark: string, tone: Tone | undefined]>> = {
  Pending: ['·', 'quiet'],
  Waiting: ['○', 'busy'],
  Running: ['◐', 'busy'],
  Succeeded: ['✔', 'good'],
  Failed: ['✘', 'bad'],
  Cancelled: ['⊘', 'bad'],
  Skipped: ['–', 'quiet'],
}

/** Lines without a line break at their end. */
export function drawGraph({ graph, nodes, maxNodes, paint }: Drawing): string[] {
  const lines = [headline(graph, nodes, paint)]
  const children = childrenOf(nodes)
  let left = maxNodes
  const pending = (children.get('') ?? []).map((one) => ({ one, indent: '', last: true, isRoot: true })).reverse()
  while (pending.length > 0 && left > 0) {
    const next = pending.pop()
    if (next === undefined) break
    const { one, indent, last, isRoot } = next
    left -= 1
    lines.push(`${isRoot ? '' : `${indent}${last ? '└─ ' : '├─ '}`}${nodeText(one, paint)}`)
    const below = children.get(one.node.name) ?? []
    const inner = isRoot ? '' : `${indent}${last ? '   ' : '│  '}`
    for (const [index, child] of [...below.entries()].reverse()) {
      pending.push({ one: child, indent: inner, last: index === below.length - 1, isRoot: false })
    }
  }
  if (nodes.length > maxNodes) lines.push(paint('quiet', `… ${nodes.length - maxNodes} more nodes`))
  return lines
}

function headline({ metadata, status }: ProcessGraph, nodes: readonly DrawnNode[], paint: Paint): string {
  const counts = new Map<NodePhase, number>()
  for (const { phase } of nodes) counts.set(phase, (counts.get(phase) ?? 0) + 1)
  const parts = [...counts].map(([phase, count]) => `${count} ${phase.toLowerCase()}`)
  return `${paint('strong', metadata.name ?? '')}  ${status?.phase ?? 'Waiting'}  ${parts.join(', ')}`
}

function nodeText({ node, phase, detail }: DrawnNode, paint: Paint): string {
  const [mark, tone] = MARKS[phase]
  const { dependencies = [] } = node
  const after = dependencies.length > 1 ? paint('quiet', `  after ${short(dependencies)}`) : ''
  const more = detail === undefined ? '' : paint('quiet', `  ${detail}`)
  return `${paint(tone, mark)} ${node.name}  ${node.funcName}  ${paint(tone, phase)}${more}${after}`
}

function short(names: readonly string[]): string {
  return names.length <= 4 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
}

/** Each node is a child of its deepest dependency. The key of roots is empty. */
function childrenOf(nodes: readonly DrawnNode[]): Map<string, DrawnNode[]> {
  const depths = depthsOf(nodes)
  const children = new Map<string, DrawnNode[]>()
  for (const one of nodes) {
    let parent = ''
    for (const name of one.node.dependencies ?? []) {
      if (depths.has(name) && (parent === '' || (depths.get(name) ?? 0) > (depths.get(parent) ?? 0))) parent = name
    }
    const others = children.get(parent)
    if (others === undefined) children.set(parent, [one])
    else others.push(one)
  }
  return children
}

/** The longest way to each node from a root. */
function depthsOf(nodes: readonly DrawnNode[]): Map<string, number> {
  const names = new Set(nodes.map(({ node }) => node.name))
  const open = new Map<string, number>()
  const after = new Map<string, string[]>()
  for (const { node } of nodes) {
    const parents = (node.dependencies ?? []).filter((name) => names.has(name))
    open.set(node.name, parents.length)
    for (const parent of parents) {
      const others = after.get(parent)
      if (others === undefined) after.set(parent, [node.name])
      else others.push(node.name)
    }
  }
  const depths = new Map([...open].flatMap(([name, count]) => (count === 0 ? [[name, 0 as number] as const] : [])))
  for (const [name, depth] of depths) {
    for (const child of after.get(name) ?? []) {
      const left = (open.get(child) ?? 0) - 1
      open.set(child, left)
      // The parent that is taken last is the deepest, since they are taken in the order of their depth.
      if (left === 0) depths.set(child, depth + 1)
    }
  }
  return depths
}
