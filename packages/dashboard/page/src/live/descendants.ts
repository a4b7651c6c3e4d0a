// All that is below an object in the graph of owners. Pure.

import type { GraphNode } from './owner-graph.ts'

export function childrenByOwner(nodes: Iterable<GraphNode>): Map<string, GraphNode[]> {
  const children = new Map<string, GraphNode[]>()
  for (const node of nodes) {
    for (const { uid } of node.owners) {
      const known = children.get(uid)
      if (known === undefined) children.set(uid, [node])
      else known.push(node)
    }
  }
  return children
}

/** Each once, whatever circles there are. */
export function descendants(uid: string, nodes: Iterable<GraphNode>): GraphNode[] {
  const children = childrenByOwner(nodes)
  const seen = new Set([uid])
  const found: GraphNode[] = []
  for (const next = [uid]; next.length > 0; ) {
    for (const child of children.get(next.pop() ?? '') ?? []) {
      if (seen.has(child.uid)) continue
      seen.add(child.uid)
      found.push(child)
      next.push(child.uid)
    }
  }
  return found
}
