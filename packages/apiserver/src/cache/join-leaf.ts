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
    length += object.bytes.length
  }
  const joined = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const object of leaf.objects) {
    joined[at++] = COMMA
    const end = at + object.bytes.length
    joined.set(object.bytes, at)
    object.bytes = joined.subarray(at, end)
    at = end
  }
  leaf.joined = joined
  leaf.joinedEpoch = epoch
  return joined
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
