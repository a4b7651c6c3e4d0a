// Which changes of an object are worth a run: pure answers about two states of it.

import type { ApiObject, Change } from '@homeostat/client'
import { deepEqual } from '@homeostat/meta'

export const PAUSED = 'homeostat.dev/paused'
export const ABANDON = 'homeostat.dev/abandon'

export function isPaused({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[PAUSED] === 'true'
}

/** All but changes of the status alone. */
export function isWorthARun({ type, object, previous }: Change<ApiObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true
  const [before, after] = [previous.metadata, object.metadata]
  return (
    before.uid !== after.uid ||
    before.deletionTimestamp !== after.deletionTimestamp ||
    !deepEqual(before.labels, after.labels) ||
    !deepEqual(before.annotations, after.annotations) ||
    !deepEqual(before.finalizers, after.finalizers) ||
    !deepEqual(before.ownerReferences, after.ownerReferences) ||
    isDifferentSpec(previous, object)
  )
}

/** What no predicate of an author can hide: the runtime itself has to act on it. */
export function isOwnConcern({ type, object, previous }: Change<ApiObject>): boolean {
  if (type !== 'updated' || previous === undefined) return true
  return (
    previous.metadata.uid !== object.metadata.uid ||
    previous.metadata.deletionTimestamp !== object.metadata.deletionTimestamp ||
    isPaused(previous) !== isPaused(object)
  )
}

/**
 * Whether anything but metadata and status differs. An equal generation says no; a different one says little for kinds
 * without a status subresource, where every write of the status counts.
 */
export function isDifferentSpec(before: ApiObject, after: ApiObject): boolean {
  const { generation } = after.metadata
  if (generation !== undefined && generation === before.metadata.generation) return false
  return !deepEqual(specOf(before), specOf(after))
}

/** Whether two states differ in nothing but the revision. */
export function isSameState(before: ApiObject, after: ApiObject): boolean {
  return before === after || deepEqual(withoutRevision(before), withoutRevision(after))
}

function specOf(object: ApiObject): object {
  return { ...object, metadata: undefined, status: undefined }
}

function withoutRevision(object: ApiObject): object {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } }
}
