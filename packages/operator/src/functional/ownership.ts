// Whose a child is. Pure. Beside the owner reference there is a label, for children where a reference cannot lead: in
// another namespace, or without one. What is neither ours nor nobody's is never written and never removed.

import type { ApiObject } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/run.ts'

/** On children without an owner reference. */
export const OWNER_LABEL = 'homeostat.dev/owner-uid'

export interface Parent {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
  readonly uid: string
}

export function parentOf({ apiVersion, kind, metadata }: ApiObject): Parent {
  return { apiVersion, kind, name: metadata.name ?? '', namespace: metadata.namespace, uid: metadata.uid ?? '' }
}

export function ownerReference({ apiVersion, kind, name, uid }: Parent): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

export function isOwnedBy(object: ApiObject, parent: Parent): boolean {
  const { ownerReferences = [], labels = {} } = object.metadata
  return ownerReferences.some(({ uid }) => uid === parent.uid) || labels[OWNER_LABEL] === parent.uid
}

export interface Claim {
  readonly ref: ObjectRef
  readonly live: ApiObject | undefined
  readonly parent: Parent
  /** Our manager has applied the object before, if for another parent. */
  readonly applied: boolean
  /** The author wants it even if somebody else made it. */
  readonly adopt: boolean
}

/** Why the child must not be written; undefined when it may be. */
export function refusal({ ref, live, parent, applied, adopt }: Claim): { reason: string; message: string } | undefined {
  if (!live || isOwnedBy(live, parent)) return undefined
  const other = live.metadata.ownerReferences?.find((owner) => owner.controller)
  if (other) {
    const message = `${shownRef(ref)} belongs to ${other.kind} ${other.name}: give the child another name`
    return { reason: 'OwnedByOther', message }
  }
  if (live.metadata.labels?.[OWNER_LABEL] !== undefined) {
    const message = `${shownRef(ref)} belongs to another ${parent.kind}: give the child another name`
    return { reason: 'OwnedByOther', message }
  }
  if (applied || adopt) return undefined
  return {
    reason: 'AlreadyExists',
    message: `${shownRef(ref)} exists and was made by somebody else: rename the child, or let it be taken over with adopt: true`,
  }
}
