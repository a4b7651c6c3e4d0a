// A B-tree of objects in key order with copy-on-write snapshots: after `snapshot()` a write copies the nodes that it
// touches; without one it changes them in place. A leaf keeps its objects joined in one buffer, ready to be sent, until
// one of them changes.

import { compareKeys } from '@homeostat/store'
import type { CachedObject } from './cached-object.ts'

const MAX = 32

export interface Leaf {
  owner: object
  readonly keys: string[]
  readonly objects: CachedObject[]
  /** The objects' bytes with a comma before each; made on first use. */
  joined: Buffer | undefined
  /** The view epoch `joined` was made under. */
  joinedEpoch: number
}

interface Branch {
  owner: object
  /** The smallest key under each child. */
  readonly keys: string[]
  readonly children: Node[]
  size: number
}

type Node = Leaf | Branch

/** A range of objects inside one leaf: `objects[from]` up to, not including, `objects[to]`. */
export interface LeafRange {
  readonly leaf: Leaf
  readonly from: number
  readonly to: number
}

const isLeaf = (node: Node): node is Leaf => 'objects' in node
const sizeOf = (node: Node): number => (isLeaf(node) ? node.keys.length : node.size)

/** An immutable snapshot of a tree. */
export class TreeSnapshot {
  protected root: Node
  protected below: Below

  constructor(root: Node, below: Below) {
    this.root = root
    this.below = below
  }

  get size(): number {
    return sizeOf(this.root)
  }

  get(key: string): CachedObject | undefined {
    let node = this.root
    while (!isLeaf(node)) node = node.children[childFor(node.keys, key, this.below)] as Node
    const at = lowerBound(node.keys, key, this.below)
    return node.keys[at] === key ? node.objects[at] : undefined
  }

  /** How many keys come before this one. */
  rank(key: string): number {
    let node = this.root
    let before = 0
    while (!isLeaf(node)) {
      const child = childFor(node.keys, key, this.below)
      for (let i = 0; i < child; i++) before += sizeOf(node.children[i] as Node)
      node = node.children[child] as Node
    }
    return before + lowerBound(node.keys, key, this.below)
  }

  /** How many keys start with the prefix. */
  count(prefix: string): number {
    return prefix === '' ? this.size : this.rank(prefix + LAST) - this.rank(prefix)
  }

  /** Runs of objects whose keys start with `prefix` and are not below `from`, in order. */
  *ranges(prefix = '', from = prefix): Generator<LeafRange, void, undefined> {
    yield* rangesUnder(this.root, from > prefix ? from : prefix, prefix, this.below)
  }

  *objects(prefix = '', from = prefix): Generator<CachedObject, void, undefined> {
    for (const range of this.ranges(prefix, from)) {
      for (let i = range.from; i < range.to; i++) yield range.leaf.objects[i] as CachedObject
    }
  }
}

/** Appended to a prefix it sorts after every key with that prefix. */
const LAST = '\u{10ffff}'

export class ObjectTree extends TreeSnapshot {
  #owner: object

  constructor() {
    const owner = {}
    super(newLeaf(owner, [], []), belowAsText)
    this.#owner = owner
  }

  /** Builds a tree from objects in key order, its leaves already joined. */
  static fromSorted(objects: readonly CachedObject[]): ObjectTree {
    const tree = new ObjectTree()
    if (objects.length === 0) return tree
    for (const object of objects) tree.#noteKey(object.name)
    const fill = (MAX * 3) / 4
    let level: Node[] = []
    for (let i = 0; i < objects.length; i += fill) {
      const part = objects.slice(i, i + fill)
      level.push(
        newLeaf(
          tree.#owner,
          part.map((object) => object.name),
          part,
        ),
      )
    }
    while (level.length > 1) {
      const above: Node[] = []
      for (let i = 0; i < level.length; i += fill) above.push(newBranch(tree.#owner, level.slice(i, i + fill)))
      level = above
    }
    tree.root = level[0] as Node
    return tree
  }

  snapshot(): TreeSnapshot {
    this.#owner = {}
    return new TreeSnapshot(this.root, this.below)
  }

  set(key: string, object: CachedObject): void {
    this.#noteKey(key)
    const root = this.#own(this.root)
    const right = this.#insert(root, key, object)
    this.root = right ? newBranch(this.#owner, [root, right]) : root
  }

  delete(key: string): void {
    if (!this.get(key)) return
    let root = this.#own(this.root)
    this.#remove(root, key)
    // Replace a root with one child by the child: when that empties, the root would have none.
    while (!isLeaf(root) && root.children.length === 1) root = root.children[0] as Node
    this.root = root
  }

  #noteKey(key: string): void {
    if (WIDE.test(key)) this.below = belowAsBytes
  }

  /** The node itself if no snapshot can see it, else a copy that no snapshot can. */
  #own(node: Node): Node {
    if (node.owner === this.#owner) return node
    if (isLeaf(node)) return newLeaf(this.#owner, [...node.keys], [...node.objects])
    return { owner: this.#owner, keys: [...node.keys], children: [...node.children], size: node.size }
  }

  /** Returns the new right neighbour when the node had to split. */
  #insert(node: Node, key: string, object: CachedObject): Node | undefined {
    if (isLeaf(node)) {
      node.joined = undefined
      const at = lowerBound(node.keys, key, this.below)
      if (node.keys[at] === key) {
        node.objects[at] = object
        return undefined
      }
      node.keys.splice(at, 0, key)
      node.objects.splice(at, 0, object)
      if (node.keys.length <= MAX) return undefined
      const half = splitPoint(at, node.keys.length)
      return newLeaf(this.#owner, node.keys.splice(half), node.objects.splice(half))
    }
    const at = childFor(node.keys, key, this.below)
    const child = this.#own(node.children[at] as Node)
    node.children[at] = child
    if (this.below(key, node.keys[at] as string)) node.keys[at] = key
    const before = sizeOf(child)
    const right = this.#insert(child, key, object)
    node.size += sizeOf(child) + (right ? sizeOf(right) : 0) - before
    if (!right) return undefined
    node.keys.splice(at + 1, 0, firstKey(right))
    node.children.splice(at + 1, 0, right)
    if (node.children.length <= MAX) return undefined
    const half = splitPoint(at + 1, node.children.length)
    node.keys.splice(half)
    const sibling = newBranch(this.#owner, node.children.splice(half))
    node.size -= sibling.size
    return sibling
  }

  #remove(node: Node, key: string): void {
    if (isLeaf(node)) {
      const at = lowerBound(node.keys, key, this.below)
      node.joined = undefined
      node.keys.splice(at, 1)
      node.objects.splice(at, 1)
      return
    }
    const at = childFor(node.keys, key, this.below)
    const child = this.#own(node.children[at] as Node)
    node.children[at] = child
    this.#remove(child, key)
    node.size--
    if (sizeOf(child) === 0) {
      node.keys.splice(at, 1)
      node.children.splice(at, 1)
    } else {
      node.keys[at] = firstKey(child)
      if (isLeaf(child)) this.#mergeRight(node, at, child)
    }
  }

  /** Merges small adjacent leaves, so that a shrinking tree does not end as many tiny leaves. */
  #mergeRight(parent: Branch, at: number, leaf: Leaf): void {
    const right = parent.children[at + 1]
    if (!right || !isLeaf(right) || leaf.keys.length + right.keys.length > MAX / 2) return
    leaf.keys.push(...right.keys)
    leaf.objects.push(...right.objects)
    parent.keys.splice(at + 1, 1)
    parent.children.splice(at + 1, 1)
  }
}

function newLeaf(owner: object, keys: string[], objects: CachedObject[]): Leaf {
  return { owner, keys, objects, joined: undefined, joinedEpoch: 0 }
}

function newBranch(owner: object, children: Node[]): Branch {
  return {
    owner,
    keys: children.map(firstKey),
    children,
    size: children.reduce((sum, child) => sum + sizeOf(child), 0),
  }
}

function firstKey(node: Node): string {
  return node.keys[0] ?? ''
}

/** Names often arrive in order; then the split leaves the left node nearly full instead of half empty. */
function splitPoint(insertedAt: number, length: number): number {
  return insertedAt === length - 1 ? length - 4 : length >> 1
}

/**
 * Keys are in byte order. The engine's own comparison, four times as fast as that of bytes, differs from it only for keys
 * with code units of U+D800 and above: a tree uses it until it gets such a key, for the rows of gets and creates.
 */
type Below = (a: string, b: string) => boolean

const belowAsText: Below = (a, b) => a < b
const belowAsBytes: Below = (a, b) => compareKeys(a, b) < 0
const WIDE = /[\ud800-\uffff]/

/** Index of the first key that is not below `key`. */
function lowerBound(keys: readonly string[], key: string, below: Below): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (below(keys[middle] as string, key)) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the child under which `key` lies or belongs. */
function childFor(keys: readonly string[], key: string, below: Below): number {
  let low = 1
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (!below(key, keys[middle] as string)) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Answers whether there can be more. `from` matters only on the way to the first leaf: everything after it is above. */
function* rangesUnder(
  node: Node,
  from: string | undefined,
  prefix: string,
  below: Below,
): Generator<LeafRange, boolean, undefined> {
  if (!isLeaf(node)) {
    const first = from === undefined ? 0 : childFor(node.keys, from, below)
    for (let i = first; i < node.children.length; i++) {
      if (!(yield* rangesUnder(node.children[i] as Node, i === first ? from : undefined, prefix, below))) return false
    }
    return true
  }
  const start = from === undefined ? 0 : lowerBound(node.keys, from, below)
  const last = node.keys.at(-1) ?? ''
  const whole = last.startsWith(prefix)
  const end = whole ? node.keys.length : lowerBound(node.keys, prefix + LAST, below)
  if (start < end) yield { leaf: node, from: start, to: end }
  // All keys with the prefix may be in later leaves: the first of them can be the first key of the next leaf.
  return whole || below(last, prefix)
}
