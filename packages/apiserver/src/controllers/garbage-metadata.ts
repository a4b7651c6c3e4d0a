// What the garbage collector reads off metadata, and what it changes there.

import type { ObjectMeta } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../registry/deletion-plan.ts'
import { metadataOf, metadataText } from './metadata-bytes.ts'
import type { Owned } from './owner-graph.ts'

/** Stands in the metadata of every object that has owners. */
export const OWNERS = 'ownerReferences":['
/** Stands in the metadata of every object that is being deleted. */
export const DELETED = 'deletionTimestamp":"'

export interface GarbageFacts {
  /** Undefined when it has no owners. */
  readonly owned?: Owned
  /** The finalizer for us that an object has which is being deleted. */
  readonly heldBy?: string
}

/** Parses only what has owners or is being deleted. */
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

/** Its owners do not wait for it any more. */
export function unblockOwners(metadata: ObjectMeta): void {
  for (const reference of metadata.ownerReferences ?? []) {
    if (reference.blockOwnerDeletion) reference.blockOwnerDeletion = false
  }
}
