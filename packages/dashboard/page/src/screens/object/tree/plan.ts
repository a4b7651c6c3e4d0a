// Which boxes a tree shows, and below which other box each stands. Pure; owners may be gone, unknown, or go in a circle.

import { mainOwner } from '../../../live/main-owner.ts'
import type { GraphNode, GraphOwner } from '../../../live/owner-graph.ts'
import { worst } from '../../../live/row-health.ts'
import type { Health } from '../../../parts/health.ts'

export interface TreeBox {
  readonly id: string
  /** Its place in the list of boxes; -1 at the top. Owners come before what they own. */
  readonly parent: number
  /** `reference`: an owner that the page knows by its name alone. */
  readonly is: 'object' | 'group' | 'reference'
  readonly kind: string
  readonly title: string
  readonly health: Health | undefined
  readonly word: string | undefined
  readonly node?: GraphNode
  readonly owner?: GraphOwner
}

export interface TreePlan {
  readonly boxes: readonly TreeBox[]
  /** All objects in the tree, whether they have a box or not. */
  readonly objects: number
  readonly unwell: number
  /** Whether there are so many that they stand in groups. */
  readonly isGrouped: boolean
}

export interface PlanOptions {
  /** The object whose tree it is. It always has a box. */
  readonly focus: string
  readonly onlyUnwell: boolean
  /** Ids of groups that somebody opened. */
  readonly opened: ReadonlySet<string>
}

/** Above it, those of one kind below one owner are one box. */
export const MOST_BOXES = 300
const SMALLEST_GROUP = 5
const DEEPEST = 50

export function planTree(nodes: ReadonlyMap<string, GraphNode>, { focus, onlyUnwell, opened }: PlanOptions): TreePlan {
  const line = lineOf(focus, nodes)
  const top = line[0] ?? focus
  const children = childrenByMainOwner(nodes)
  const members = membersOf(top, children)
  const unwell = members.filter((uid) => isUnwell(nodes.get(uid)))
  const shown = onlyUnwell ? new Set([...unwell.flatMap((uid) => lineOf(uid, nodes)), ...line]) : new Set(members)
  const isGrouped = shown.size > MOST_BOXES
  const planner = new Planner(nodes, children, new Set(line), shown, isGrouped, opened)
  const objects = members.filter((uid) => nodes.has(uid)).length
  return { boxes: planner.boxesOf(top), objects, unwell: unwell.length, isGrouped }
}

class Planner {
  readonly #boxes: TreeBox[] = []
  readonly #nodes: ReadonlyMap<string, GraphNode>
  readonly #children: ReadonlyMap<string, readonly GraphNode[]>
  readonly #line: ReadonlySet<string>
  readonly #shown: ReadonlySet<string>
  readonly #isGrouped: boolean
  readonly #opened: ReadonlySet<string>

  constructor(
    nodes: ReadonlyMap<string, GraphNode>,
    children: ReadonlyMap<string, readonly GraphNode[]>,
    line: ReadonlySet<string>,
    shown: ReadonlySet<string>,
    isGrouped: boolean,
    opened: ReadonlySet<string>,
  ) {
    this.#nodes = nodes
    this.#children = children
    this.#line = line
    this.#shown = shown
    this.#isGrouped = isGrouped
    this.#opened = opened
  }

  boxesOf(top: string): readonly TreeBox[] {
    this.#add(top, -1, new Set())
    return this.#boxes
  }

  #add(uid: string, parent: number, above: ReadonlySet<string>): void {
    const node = this.#nodes.get(uid)
    const at = this.#boxes.length
    this.#boxes.push(node === undefined ? this.#reference(uid, parent) : boxOf(node, parent))
    if (above.size >= DEEPEST) return
    const within = new Set([...above, uid])
    const below = (this.#children.get(uid) ?? []).filter(
      (child) => this.#shown.has(child.uid) && !within.has(child.uid),
    )
    for (const [kind, some] of Map.groupBy(below, (child) => child.kind.kind))
      this.#addKind(uid, kind, some, at, within)
  }

  #addKind(owner: string, kind: string, some: readonly GraphNode[], at: number, within: ReadonlySet<string>): void {
    const id = `${owner}/${kind}`
    const grouped = this.#isGrouped && some.length >= SMALLEST_GROUP
    // Whoever looks at an object sees the way to it.
    const inLine = some.filter(({ uid }) => this.#line.has(uid))
    if (!grouped) {
      for (const child of some) this.#add(child.uid, at, within)
      return
    }
    this.#boxes.push(groupBox(id, kind, some, at))
    const group = this.#boxes.length - 1
    for (const child of this.#opened.has(id) ? some : inLine) this.#add(child.uid, group, within)
  }

  /** What some object names as its owner, and what is not among the objects. */
  #reference(uid: string, parent: number): TreeBox {
    const child = this.#children.get(uid)?.[0]
    const owner = child?.owners.find((one) => one.uid === uid)
    return {
      id: uid,
      parent,
      is: 'reference',
      kind: owner?.kind ?? 'Owner',
      title: owner?.name ?? uid,
      health: undefined,
      word: undefined,
      ...(owner && { owner }),
    }
  }
}

function boxOf(node: GraphNode, parent: number): TreeBox {
  const { uid, kind, name, health, word } = node
  return { id: uid, parent, is: 'object', kind: kind.kind, title: name, health, word, node }
}

function groupBox(id: string, kind: string, some: readonly GraphNode[], parent: number): TreeBox {
  const unwell = some.filter(isUnwell).length
  return {
    id,
    parent,
    is: 'group',
    kind,
    title: `${some.length} ${kind}`,
    health: worst(some.map(({ health }) => health)),
    word: unwell > 0 ? `${unwell} not ready` : undefined,
  }
}

/** The object and its owners, the topmost first. */
function lineOf(uid: string, nodes: ReadonlyMap<string, GraphNode>): string[] {
  const line = [uid]
  for (let node = nodes.get(uid); node !== undefined && line.length < DEEPEST; ) {
    const owner = mainOwner(node.owners)
    if (owner === undefined || line.includes(owner.uid)) break
    line.unshift(owner.uid)
    node = nodes.get(owner.uid)
  }
  return line
}

/** By kind and name, so that the order does not depend on when each arrived. */
function childrenByMainOwner(nodes: ReadonlyMap<string, GraphNode>): Map<string, GraphNode[]> {
  const children = new Map<string, GraphNode[]>()
  for (const node of nodes.values()) {
    const owner = mainOwner(node.owners)
    if (owner === undefined) continue
    const known = children.get(owner.uid)
    if (known === undefined) children.set(owner.uid, [node])
    else known.push(node)
  }
  for (const some of children.values()) some.sort(byKindAndName)
  return children
}

const collator = new Intl.Collator('en', { numeric: true })

function byKindAndName(a: GraphNode, b: GraphNode): number {
  return a.kind.kind === b.kind.kind ? collator.compare(a.name, b.name) : a.kind.kind < b.kind.kind ? -1 : 1
}

function membersOf(top: string, children: ReadonlyMap<string, readonly GraphNode[]>): string[] {
  const seen = new Set([top])
  for (const uid of seen) for (const child of children.get(uid) ?? []) seen.add(child.uid)
  return [...seen]
}

function isUnwell(node: GraphNode | undefined): boolean {
  return node?.health === 'bad' || node?.health === 'busy'
}
