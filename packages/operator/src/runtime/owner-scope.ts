// Where an owner reference can lead. Pure. The garbage collector looks for an owner in the namespace of what it owns, takes
// one that is elsewhere for gone, and deletes the object at once: who makes it again fights the collector for ever.

import type { ApiObject } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from './object-key.ts'
import { terminal } from './outcome.ts'
import type { ObjectRef } from './run.ts'

interface Place {
  readonly namespace?: string | undefined
}

/** An owner must be cluster-scoped or in the namespace of what it owns. */
export function isForeign(owner: Place, child: Place): boolean {
  return owner.namespace !== undefined && child.namespace !== owner.namespace
}

/** Ends the run when `object`, whose run it is, would own what it cannot. */
export function refuseForeignOwner(
  { kind, metadata }: ApiObject,
  child: ObjectRef,
  owners: readonly Pick<OwnerReference, 'uid'>[] | undefined,
): void {
  const { name = '', namespace, uid } = metadata
  if (!isForeign(metadata, child) || !owners?.some((owner) => owner.uid === uid)) return
  const problem =
    `${shownRef({ kind, name, namespace })} cannot own ${shownRef(child)}: owners are in the namespace of what they own. ` +
    'Get a handle from ResourceService instead, leave the owner reference out, and remove the object in cleanup()'
  throw terminal(new Error(problem), 'CannotOwn')
}
