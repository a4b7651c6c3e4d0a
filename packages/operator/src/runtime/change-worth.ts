// Decides which changes of an object are worth a reconcile. Pure functions of its old and new state.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import { deepEqual } from '@homeostat/meta'

export const PAUSED = 'homeostat.dev/paused'
export const ABANDON = 'homeostat.dev/abandon'

export function isPaused({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[PAUSED] === 'true'
}

/** All changes except those of the status alone, and the operator's own finalizer, which a reconcile has just added. */
export function isWorthARun({ type, object, previous }: InformerEvent<ApiObject>, finalizer?: string): boolean {
  if (type !== 'updated' || previous === undefined) return true
  const [before, after] = [previous.metadata, object.metadata]
  return (
    before.uid !== after.uid ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !deepEqual(before.labels, after.labels) ||
    !deepEqual(before.annotations, after.annotations) ||
    isOtherFinalizers(before.finalizers, after.finalizers, finalizer) ||
    !deepEqual(before.ownerReferences, after.ownerReferences) ||
    isDifferentSpec(previous, object)
  )
}

export function gains({ type, object, previous }: InformerEvent<ApiObject>, finalizer: string): boolean {
  const has = (state: ApiObject | undefined) => state?.metadata.finalizers?.includes(finalizer) === true
  return type === 'updated' && has(object) && !has(previous)
}

/** Changes that an author's predicate cannot filter out, since the runtime itself acts on them. */
export function isOwnConcern({ type, object, previous }: InformerEvent<ApiObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true
  return (
    previous.metadata.uid !== object.metadata.uid ||
    previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp ||
    isPaused(previous) !== isPaused(object)
  )
}

/**
 * Whether anything but metadata and status differs. An equal generation means no; a different one proves nothing for
 * kinds without a status subresource, where every status write raises it.
 */
export function isDifferentSpec(before: ApiObject, after: ApiObject): boolean {
  const { generation } = after.metadata
  if (generation !== undefined && generation === before.metadata.generation) return false
  return !deepEqual(specOf(before), specOf(after))
}

/** Whether two states differ only in the resourceVersion. */
export function isSameState(before: ApiObject, after: ApiObject): boolean {
  return before === after || deepEqual(withoutRevision(before), withoutRevision(after))
}

function isOtherFinalizers(before: readonly string[] = [], after: readonly string[] = [], own?: string): boolean {
  const gained = own !== undefined && after.includes(own) && !before.includes(own)
  return !deepEqual(before, gained ? after.filter((one) => one !== own) : after)
}

function specOf(object: ApiObject): object {
  return { ...object, metadata: undefined, status: undefined }
}

function withoutRevision(object: ApiObject): object {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } }
}
