// Joins the objects of a leaf into one buffer, with a comma before each, and makes the objects point into it, so that the
// bytes of a listed resource exist once.

import { internalError } from '@homeostat/meta'
import type { CachedObject } from './cached-object.ts'
import type { Leaf } from './object-tree.ts'

/** Renews an object for its definition's current view; see ResourceCache. */
export type Refresh = (object: CachedObject) => void

/** `head` is the start of an object that items omit: built-in kinds have apiVersion and kind only in the list. */
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

/** The size of the object as an item of a list. */
export function itemSize(object: CachedObject, head: Buffer | undefined): number {
  return hasHead(object, head) ? object.size - head.length + 1 : object.size
}

/** The object as an item of a list. */
export function itemBytes(object: CachedObject, head: Buffer | undefined): Buffer {
  if (object.head !== undefined) return object.buffer.subarray(object.start, object.at(object.size))
  return hasHead(object, head) ? Buffer.concat([BRACE, object.bytes.subarray(head.length)]) : object.bytes
}

/** An object that starts differently is sent whole. */
function hasHead(object: CachedObject, head: Buffer | undefined): head is Buffer {
  if (head === undefined || object.head !== undefined) return head !== undefined
  const { buffer, start } = object
  return head.compare(buffer, start, start + head.length) === 0
}

/** Copies the object's bytes without the head, with its opening brace; returns the offset after them. */
function copyWithout(head: Buffer, object: CachedObject, joined: Buffer, at: number): number {
  const { buffer, start, size } = object
  joined[at] = OPENING
  joined.set(buffer.subarray(start + head.length, start + size), at + 1)
  object.movedTo(joined, at, head)
  return at + 1 + size - head.length
}

/** Objects that are adjacent in a buffer, a comma between them, are copied at once: most of a leaf has not changed. */
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

/** Throws for a damaged object: omitting it would look like a deletion to every informer. */
export function refuseDamaged(object: CachedObject): void {
  if (object.damage === undefined) return
  throw internalError(
    `the stored record of ${object.key} is damaged (${object.damage}); restore it from a backup or delete it`,
  )
}

const COMMA = 0x2c
const OPENING = 0x7b
