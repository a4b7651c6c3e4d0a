// Sets the fields that the server decides and restores those that this write cannot change: the status in a write of the
// main resource, everything else in a write of the status.

import { deepEqual, type KubeObject, type ObjectMeta } from '@homeostat/meta'
import { setManagedFields } from '../../registry/managed-fields.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { partOf } from '../part-of.ts'
import type { Write } from '../write.ts'

/** Fills in defaults again only if the kind's rules changed the object. */
export function prepareNew(write: Write): void {
  const { type, request, object } = write
  const { strategy } = type
  const isChanged = strategy.prepareForCreate(object, request.user)
  if (strategy.allocate !== undefined) allocate(write)
  if (isChanged) strategy.applyDefaults(object)
}

/** Sets the initial fields of a new object that passed validation. */
export function prepareValidated({ type, request, object }: Write): void {
  const { strategy } = type
  if (strategy.prepareValidated === undefined) return
  strategy.prepareValidated(object, request.user)
  strategy.applyDefaults(object)
}

/** What the kind's rules take from the old object has its defaults, so that they are not filled in again. */
export function prepare(write: Write): void {
  const { type, request, object, fields } = write
  const old = write.old as KubeObject
  const { strategy } = type
  const part = partOf(type, request.subresource)
  object.metadata = withServerFields(object.metadata, old.metadata)
  part.prepare(object, old)
  if (strategy.allocate !== undefined && request.subresource === undefined) allocate(write)
  setManagedFields(object, fields)
  if (strategy.generation && part.countsGenerations && countsAsNewGeneration(type, object, old))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1
}

function allocate(write: Write): void {
  const end = write.type.strategy.allocate?.(write.object, write.old)
  if (end !== undefined) write.onEnd(end)
}

/** Restores server-set metadata. It deletes only what is there: `delete` puts a V8 object into slow dictionary mode. */
function withServerFields(next: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const kept: Record<string, unknown> = { ...next }
  for (const field of KEPT) {
    const value = old[field]
    if (value !== undefined) kept[field] = value
    else if (kept[field] !== undefined) delete kept[field]
  }
  if (kept.selfLink !== undefined) delete kept.selfLink
  return kept as ObjectMeta
}

const KEPT = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'generateName',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

/** A change outside metadata counts; the status does not where it is a subresource. */
function countsAsNewGeneration(type: ResourceType, next: KubeObject, old: KubeObject): boolean {
  const apart = (key: string) => key === 'metadata' || (key === 'status' && type.subresources.status)
  for (const key of Object.keys(next)) if (!apart(key) && !deepEqual(next[key], old[key])) return true
  for (const key of Object.keys(old)) if (!apart(key) && next[key] === undefined && old[key] !== undefined) return true
  return false
}
