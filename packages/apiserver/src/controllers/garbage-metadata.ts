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
