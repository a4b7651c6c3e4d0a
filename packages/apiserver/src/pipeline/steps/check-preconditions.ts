// Refuses a write whose uid or resourceVersion does not match the stored object.

import { conflict, invalid, type KubeObject } from '@homeostat/meta'
import { invalidValue } from '@homeostat/meta/server'
import type { Write } from '../write.ts'

/** A uid in the object must be that of the stored object. */
export function checkUid({ type, request, object, old }: Write): void {
  const { uid } = object.metadata
  const known = (old as KubeObject).metadata.uid
  if (!uid || uid === known) return
  throw conflict(
    { group: type.group, resource: type.resource },
    request.name ?? '',
    `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${known}`,
  )
}

/** A PUT must name the revision that it replaces, unless the kind allows unconditional updates. */
export function requireRevision({ type, request, object }: Write): void {
  if (type.strategy.unconditionalUpdate || namesRevision(object)) return
  // Only here does the real server name the resource, not the kind, in `details.kind`.
  throw invalid({ group: type.group, kind: type.resource }, request.name ?? '', [
    invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
  ])
}

export function checkRevision({ type, request, object, current }: Write): void {
  if (!namesRevision(object) || object.metadata.resourceVersion === String(current?.revision)) return
  throw conflict(
    { group: type.group, resource: type.resource },
    request.name ?? '',
    'the object has been modified; please apply your changes to the latest version and try again',
  )
}

function namesRevision({ metadata: { resourceVersion } }: KubeObject): boolean {
  return resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== '0'
}

/**
 * For a patch the uid is an immutable field. Kubernetes validates the metadata of custom resources twice, so their error
 * carries the same cause twice.
 */
export function refuseChangedUid({ type, request, object, old }: Write): void {
  const { uid } = object.metadata
  if (!uid || uid === (old as KubeObject).metadata.uid) return
  const cause = invalidValue('metadata.uid', uid, 'field is immutable')
  throw invalid({ group: type.group, kind: type.kind }, request.name ?? '', type.custom ? [cause, cause] : [cause])
}
