// The nodes of a graph that is run again: what succeeded before the failure is reused, all else runs. Pure.

import type { GraphNode } from '@homeostat/executor/graphs'

/** A node of the old graph. */
export interface OldNode {
  readonly node: GraphNode
  /** The Process whose output is that of the node, if it succeeded and is still there. */
  readonly succeeded: string | undefined
  /** Whether the node had a Process at all. */
  readonly ran: boolean
  /** The node whose Process has added it; undefined for a submitted one. */
  readonly addedBy: string | undefined
}

/**
 * A node is reused when it succeeded and its input will be the same: everything it depends on is reused, or was skipped and will be
 * skipped again. Nodes that were added by a node which runs again are left out, since it adds them again.
 */
export function rerunNodes(old: readonly OldNode[]): GraphNode[] {
  const byName = new Map(old.map((one) => [one.node.name, one]))
  const settled = new Set<string>()
  const reused = new Set<string>()
  const dropped = new Set<string>()
  for (const one of inOrder(old, byName)) {
    const { name, dependencies = [] } = one.node
    const isLost = one.addedBy !== undefined && !reused.has(one.addedBy)
    if (isLost || dependencies.some((parent) => dropped.has(parent))) dropped.add(name)
    else if (dependencies.every((parent) => settled.has(parent))) {
      if (one.succeeded !== undefined) reused.add(name)
      // Without a Process although all it depends on has ended well: a condition did not hold.
      if (one.succeeded !== undefined || (!one.ran && dependencies.length > 0)) settled.add(name)
    }
  }
  return old.flatMap(({ node, succeeded }) => {
    const { reuse: _, ...fresh } = node
    if (dropped.has(node.name)) return []
    return [reused.has(node.name) && succeeded !== undefined ? { ...fresh, reuse: succeeded } : fresh]
  })
}

/** Parents first; a node that another has added comes after that one. */
function inOrder(old: readonly OldNode[], byName: ReadonlyMap<string, OldNode>): OldNode[] {
  const before = ({ node, addedBy }: OldNode) =>
    [...(node.dependencies ?? []), ...(addedBy === undefined ? [] : [addedBy])].filter((name) => byName.has(name))
  const open = new Map(old.map((one) => [one.node.name, before(one).length]))
  const after = new Map<string, OldNode[]>()
  for (const one of old) {
    for (const name of before(one)) {
      const others = after.get(name)
      if (others === undefined) after.set(name, [one])
      else others.push(one)
    }
  }
  const order = old.filter(({ node }) => open.get(node.name) === 0)
  for (const { node } of order) {
    for (const next of after.get(node.name) ?? []) {
      const left = (open.get(next.node.name) ?? 0) - 1
      open.set(next.node.name, left)
      if (left === 0) order.push(next)
    }
  }
  return order
}
