// The owners of an object, the topmost first. Pure; references may name what is gone, or go in a circle.

import { mainOwner } from '../../../live/main-owner.ts'
import type { LiveObject } from '../../../live/object.ts'
import type { GraphNode, GraphOwner } from '../../../live/owner-graph.ts'
import type { Health } from '../../../parts/health.ts'

export interface ChainLink extends GraphOwner {
  readonly health: Health | undefined
}

const DEEPEST = 20

export function ownerChain(
  { metadata }: Pick<LiveObject, 'metadata'>,
  nodes: ReadonlyMap<string, GraphNode>,
): ChainLink[] {
  const chain: ChainLink[] = []
  const seen = new Set([metadata.uid])
  let owners: readonly GraphOwner[] = metadata.ownerReferences ?? []
  while (chain.length < DEEPEST) {
    const owner = mainOwner(owners)
    if (owner === undefined || seen.has(owner.uid)) break
    seen.add(owner.uid)
    const node = nodes.get(owner.uid)
    chain.unshift({ ...owner, health: node?.health })
    owners = node?.owners ?? []
  }
  return chain
}
