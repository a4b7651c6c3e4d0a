// A set of field paths, as managedFields writes it: a trie of path elements (`f:name`, `k:{...}`, `v:...`, `i:n`).
// A node that is empty or has "." is in the set; what else it has are longer paths. Sets are never changed: each
// function gives one of its arguments back when that is the answer.

import { sortElements } from './path-element.ts'

export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** The empty set, and as a node: just this path. */
export const NOTHING: FieldSet = Object.freeze({})

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether the path of a node is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return node['.'] !== undefined || isEmptySet(node)
}

/** A node from its sorted children; undefined when nothing would be in it. */
export function nodeOf(member: boolean, children: Children): FieldSet | undefined {
  if (children.length === 0) return member ? NOTHING : undefined
  const node: Record<string, FieldSet> = {}
  if (member) node['.'] = NOTHING
  for (const [element, child] of children) node[element] = child
  return node
}

export type Children = readonly (readonly [element: string, child: FieldSet])[]

/** A set, or a node, with children in any order. */
export function sortedNodeOf(member: boolean, children: Map<string, FieldSet>): FieldSet | undefined {
  const elements = [...children.keys()]
  sortElements(elements)
  return nodeOf(
    member,
    elements.map((element) => [element, children.get(element) ?? NOTHING] as const),
  )
}

export function setOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  let set = NOTHING
  for (const path of paths) {
    if (path.length === 0) continue
    let node = NOTHING
    for (const name of path.toReversed()) node = { [`f:${name}`]: node }
    set = union(set, node)
  }
  return set
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a
  if (isEmptySet(a)) return b
  return unionOfChildren(a, b, false)
}

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const member = isMember(a) || isMember(b)
  if (isEmptySet(b) && a['.'] !== undefined) return a
  if (isEmptySet(a) && b['.'] !== undefined) return b
  return unionOfChildren(a, b, member)
}

function unionOfChildren(a: FieldSet, b: FieldSet, member: boolean): FieldSet {
  const added: string[] = []
  let replaced: Map<string, FieldSet> | undefined
  for (const element in b) {
    const other = b[element]
    if (element === '.' || other === undefined) continue
    const mine = a[element]
    if (mine === undefined) {
      added.push(element)
      continue
    }
    const both = unionOfNodes(mine, other)
    if (both === mine) continue
    replaced ??= new Map()
    replaced.set(element, both)
  }
  const gainsItself = member && a['.'] === undefined && !(isEmptySet(a) && added.length === 0)
  if (added.length === 0 && replaced === undefined && !gainsItself) return a
  const elements = Object.keys(a)
  if (elements[0] === '.') elements.shift()
  if (added.length > 0) {
    elements.push(...added)
    sortElements(elements)
  }
  return (
    nodeOf(
      member,
      elements.map((element) => [element, replaced?.get(element) ?? a[element] ?? b[element] ?? NOTHING] as const),
    ) ?? NOTHING
  )
}

/** The paths of `a` that are not in `b`. A path stays when only a longer or a shorter one is in `b`. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a
  return without(a, b, false, minus) ?? NOTHING
}

function minus(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const member = isMember(a) && !isMember(b)
  if (isEmptySet(a)) return member ? a : undefined
  return without(a, b, member, minus)
}

/** The paths of `a` that are neither in `b` nor below a path in `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a
  return without(a, b, false, minusBelow) ?? NOTHING
}

function minusBelow(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined
  return isEmptySet(a) ? a : without(a, b, isMember(a), minusBelow)
}

function without(
  a: FieldSet,
  b: FieldSet,
  member: boolean,
  rest: (a: FieldSet, b: FieldSet) => FieldSet | undefined,
): FieldSet | undefined {
  let left: Map<string, FieldSet | undefined> | undefined
  for (const element in a) {
    const mine = a[element]
    const other = b[element]
    if (element === '.' || mine === undefined || other === undefined) continue
    const kept = rest(mine, other)
    if (kept === mine) continue
    left ??= new Map()
    left.set(element, kept)
  }
  if (left === undefined && member === (a['.'] !== undefined)) return a
  const children: [string, FieldSet][] = []
  for (const element in a) {
    if (element === '.') continue
    const kept = left?.has(element) ? left.get(element) : a[element]
    if (kept !== undefined) children.push([element, kept])
  }
  return nodeOf(member, children)
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return common(a, b, false) ?? NOTHING
}

function common(a: FieldSet, b: FieldSet, member: boolean): FieldSet | undefined {
  const children: [string, FieldSet][] = []
  for (const element in a) {
    const mine = a[element]
    const other = b[element]
    if (element === '.' || mine === undefined || other === undefined) continue
    const both = common(mine, other, isMember(mine) && isMember(other))
    if (both !== undefined) children.push([element, both])
  }
  return nodeOf(member, children)
}

/** Whether every path of `part` is in `whole`. */
export function contains(whole: FieldSet, part: FieldSet): boolean {
  if (whole === part) return true
  for (const element in part) {
    const mine = part[element]
    if (element === '.' || mine === undefined) continue
    const other = whole[element]
    if (other === undefined || (isMember(mine) && !isMember(other)) || !contains(other, mine)) return false
  }
  return true
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return contains(a, b) && contains(b, a)
}

/** Calls `visit` for each path: those of one level first, then what is below each. */
export function eachPath(set: FieldSet, visit: (path: readonly string[]) => void): void {
  const path: string[] = []
  const walk = (node: FieldSet) => {
    for (const element in node) {
      const child = node[element]
      if (element !== '.' && child !== undefined && isMember(child)) visit([...path, element])
    }
    for (const element in node) {
      const child = node[element]
      if (element === '.' || child === undefined || isEmptySet(child)) continue
      path.push(element)
      walk(child)
      path.pop()
    }
  }
  walk(set)
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return false
  }
  return path.length > 0 && isMember(node)
}
