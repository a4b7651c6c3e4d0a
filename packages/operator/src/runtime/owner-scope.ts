// Where an owner reference works. Pure. The garbage collector looks for an owner in the namespace of the owned object;
// if it is elsewhere, the collector takes it for deleted and deletes the object, which the operator would then create
// again for ever.

import type { ApiObject } from '@homeostat/client'
import type { OwnerReference } from '@homeostat/meta'
import { shownRef } from './object-key.ts'
import { terminal } from './outcome.ts'
import type { ObjectRef } from './reconcile-context.ts'

interface Place {
  readonly namespace?: string | undefined
}

/**
 * Whether an owner reference cannot work: an owner must be cluster-scoped or in the namespace of the object it owns.
 */
export function isForeign(owner: Place, child: Place): boolean {
  return owner.namespace !== undefined && child.namespace !== owner.namespace
}

/** Ends the reconcile of `object` when it would own an object that it cannot own. */
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
