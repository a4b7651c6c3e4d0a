// Joins the objects of a leaf into one buffer, a comma before each, and lets the objects point into it: the bytes of
// a resource that is listed exist once.

import { internalError } from '@homeostat/meta'
import type { CachedObject } from './cached-object.ts'
import type { Leaf } from './object-tree.ts'

/** Brings an object up to its definition's current view; see ResourceCache. */
export type Refresh = (object: CachedObject) => void

/** `head` is what items leave out: built-in kinds say apiVersion and kind in the list alone. */
export function joinLeaf(leaf: Leaf, epoch: number, refresh: Refresh, head: Buffer | undefined): Buffer {
  if (leaf.joined && leaf.joinedEpoch >= epoch) return leaf.joined
  let length = leaf.objects.length
  for (const object of leaf.objects) {
    refuseDamaged(object)
    refresh(object)
    length += itemSize(object, head)
  }
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (let i = 0; i < leaf.objects.length; ) {
    const first = leaf.objects[i] as CachedObject
    joined[at++] = COMMA
    if (first.head === undefined && hasHead(first, head)) {
      at = copyWithout(head, first, joined, at)
      i++
      continue
    }
    const end = neighboursEnd(leaf.objects, i)
    const last = leaf.objects[end - 1] as CachedObject
    joined.set(first.buffer.subarray(first.start, last.at(last.size)), at)
    const moved = at - first.start
    at = last.at(last.size) + moved
    for (; i < end; i++) {
      const object = leaf.objects[i] as CachedObject
      object.movedTo(joined, object.start + moved, object.head)
    }
  }
  leaf.joined = joined
  leaf.joinedEpoch = epoch
  return joined
}

/** How many bytes the object has as an item of a list. */
export function itemSize(object: CachedObject, head: Buffer | undefined): number {
  return hasHead(object, head) ? object.size - head.length + 1 : object.size
}

/** The object as an item of a list. */
export function itemBytes(object: CachedObject, head: Buffer | undefined): Buffer {
  if (object.head !== undefined) return object.buffer.subarray(object.start, object.at(object.size))
  return hasHead(object, head) ? Buffer.concat([BRACE, object.bytes.subarray(head.length)]) : object.bytes
}

/** One that was stored differently keeps all it says. */
function hasHead(object: CachedObject, head: Buffer | undefined): head is Buffer {
  if (head === undefined || object.head !== undefined) return head !== undefined
  const { buffer, start } = object
  return head.compare(buffer, start, start + head.length) === 0
}

/** Copies the object's bytes after the head, in braces as before; answers where they end. */
function copyWithout(head: Buffer, object: CachedObject, joined: Buffer, at: number): number {
  const { buffer, start, size } = object
  joined[at] = OPENING
  joined.set(buffer.subarray(start + head.length, start + size), at + 1)
  object.movedTo(joined, at, head)
  return at + 1 + size - head.length
}

/** Objects that already lie one after the other, a comma between, are copied as one: most of a leaf has not changed. */
function neighboursEnd(objects: readonly CachedObject[], from: number): number {
  let last = objects[from] as CachedObject
  let i = from + 1
  for (; i < objects.length; i++) {
    const next = objects[i] as CachedObject
    if (next.buffer !== last.buffer || next.head !== last.head || next.start !== last.at(last.size) + 1) break
    last = next
  }
  return i
}

/** The parts with a comma before each. */
export function separated(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [SEPARATOR, part]))
}

const SEPARATOR = Buffer.from(',')
const BRACE = Buffer.from('{')

/** Leaving a damaged object out would look like a deletion to every informer, so whoever needs it fails. */
export function refuseDamaged(object: CachedObject): void {
  if (object.damage === undefined) return
  throw internalError(
    `the stored record of ${object.key} is damaged (${object.damage}); restore it from a backup or delete it`,
  )
}

const COMMA = 0x2c
const OPENING = 0x7b
