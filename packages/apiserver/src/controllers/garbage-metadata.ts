// Reads what the garbage collector needs from metadata, and makes the changes that it writes there.

import type { ObjectMeta } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion-plan.ts'
import { metadataOf, metadataText } from './metadata-bytes.ts'
import type { Owned } from './owner-graph.ts'

/** This text is in the metadata of every object with owners. */
export const OWNERS = 'ownerReferences":['
/** This text is in the metadata of every object under deletion. */
export const DELETED = 'deletionTimestamp":"'

export interface GarbageFacts {
  /** Undefined when the object has no owners. */
  readonly owned?: Owned
  /** The garbage collector's finalizer on an object under deletion, if any. */
  readonly heldBy?: string
}

/** Parses only objects that have owners or are under deletion. */
export function garbageFacts(object: CachedObject): GarbageFacts {
  const text = metadataText(object)
  if (!text.includes(OWNERS) && !text.includes(DELETED)) return NONE
  const metadata = metadataOf(object)
  const { uid = '', ownerReferences: owners = [] } = metadata
  const heldBy = holdOf(metadata)
  return {
    ...(heldBy !== undefined && { heldBy }),
    ...(owners.length > 0 && { owned: { uid, owners, deletingDependents: heldBy === FOREGROUND_FINALIZER } }),
  }
}

const NONE: GarbageFacts = {}

const REVISION = 'resourceVersion":"'
const MANAGED = 'managedFields":['

/**
 * Whether nothing that matters here differs between two states of an object that nobody deletes, told from their bytes: most changes
 * of objects with owners are statuses. Never true by mistake, since all of the metadata but revision and managed fields is compared.
 */
export function isAlikeToGarbage(object: CachedObject, previous: CachedObject): boolean {
  const text = comparedText(object)
  return text !== undefined && text === comparedText(previous)
}

function comparedText(object: CachedObject): string | undefined {
  const text = metadataText(object)
  const managed = text.indexOf(MANAGED)
  const end = managed < 0 ? text.length : managed
  // In another order of keys the bytes say nothing.
  if (text.includes(DELETED) || text.indexOf(OWNERS, end) >= 0) return undefined
  const revision = text.indexOf(REVISION)
  if (revision < 0 || revision > end) return undefined
  const from = revision + REVISION.length
  return text.slice(0, from) + text.slice(text.indexOf('"', from), end)
}

function holdOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): string | undefined {
  if (deletionTimestamp === undefined) return undefined
  return [ORPHAN_FINALIZER, FOREGROUND_FINALIZER].find((finalizer) => finalizers.includes(finalizer))
}

export function dropFinalizer(metadata: ObjectMeta, finalizer: string): void {
  const left = (metadata.finalizers ?? []).filter((name) => name !== finalizer)
  if (left.length > 0) metadata.finalizers = left
  else delete metadata.finalizers
}

export function dropOwners(metadata: ObjectMeta, uids: ReadonlySet<string>): void {
  const left = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid))
  if (left.length > 0) metadata.ownerReferences = left
  else delete metadata.ownerReferences
}

/** Clears blockOwnerDeletion, so that no owner waits for this object. */
export function unblockOwners(metadata: ObjectMeta): void {
  for (const reference of metadata.ownerReferences ?? []) {
    if (reference.blockOwnerDeletion) reference.blockOwnerDeletion = false
  }
}
