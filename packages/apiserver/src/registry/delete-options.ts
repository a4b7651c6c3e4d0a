// The options of a DELETE, read from its body or query. Controllers make their own.

import { conflict, type KubeObject } from '@homeostat/meta'

export interface DeleteOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly propagationPolicy?: string
  /** The deprecated form of propagationPolicy: true is Orphan, false is Background. */
  readonly orphanDependents?: boolean
  readonly gracePeriodSeconds?: number
  readonly dryRun?: readonly string[]
}

/** Throws a Conflict when the object is another one, or another state, than the caller means. `subject` names the kind. */
export function checkPreconditions(
  subject: Parameters<typeof conflict>[0],
  { metadata }: KubeObject,
  { uid, resourceVersion }: NonNullable<DeleteOptions['preconditions']>,
): void {
  const { name = '' } = metadata
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      subject,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      subject,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}
