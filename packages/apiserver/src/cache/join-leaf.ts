// Joins the objects of a leaf into one buffer, a comma before each, and lets the objects point into it: the bytes of
// a resource that is listed exist once.

import { internalError } from '@homeostat/meta'
import type { CachedObject } from './cached-object.ts'
import type { Leaf } from './object-tree.ts'

/** Brings an object up to its definition's current view; see ResourceCache. */
export type Refresh = (object: CachedObject) => void

export function joinLeaf(leaf: Leaf, epoch: number, refresh: Refresh): Buffer {
  if (leaf.joined && leaf.joinedEpoch >= epoch) return leaf.joined
  let length = leaf.objects.length
  for (const object of leaf.objects) {
    refuseDamaged(object)
    refresh(object)
    length += object.size
  }
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (let i = 0; i < leaf.objects.length; ) {
    const end = neighboursEnd(leaf.objects, i)
    const first = leaf.objects[i] as CachedObject
    const last = leaf.objects[end - 1] as CachedObject
    joined[at] = COMMA
    joined.set(first.buffer.subarray(first.start, last.start + last.size), at + 1)
    const moved = at + 1 - first.start
    at = last.start + last.size + moved
    for (; i < end; i++) {
      const object = leaf.objects[i] as CachedObject
      object.movedTo(joined, object.start + moved)
    }
  }
  leaf.joined = joined
  leaf.joinedEpoch = epoch
  return joined
}

/** Objects that already lie one after the other, a comma between, are copied as one: most of a leaf has not changed. */
function neighboursEnd(objects: readonly CachedObject[], from: number): number {
  let last = objects[from] as CachedObject
  let i = from + 1
  for (; i < objects.length; i++) {
    const next = objects[i] as CachedObject
    if (next.buffer !== last.buffer || next.start !== last.start + last.size + 1) break
    last = next
  }
  return i
}

/** The parts with a comma before each. */
export function separated(parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [SEPARATOR, part]))
}

const SEPARATOR = Buffer.from(',')

/** Leaving a damaged object out would look like a deletion to every informer, so whoever needs it fails. */
export function refuseDamaged(object: CachedObject): void {
  if (object.damage === undefined) return
  throw internalError(
    `the stored record of ${object.key} is damaged (${object.damage}); restore it from a backup or delete it`,
  )
}

const COMMA = 0x2c
