// Decides who owns a child. Pure. An owner reference marks the owner, or a label where a reference cannot work: in
// another namespace, or on a cluster-scoped child. An object with another owner is never written and never deleted.

import type { ApiObject } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'

/** Label with the owner's uid, on children that cannot have an owner reference. */
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
  /** Our field manager applied the object before, perhaps for another parent. */
  readonly applied: boolean
  /** The author wants to take over an object that another program created. */
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
