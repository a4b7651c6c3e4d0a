// Sets what the server decides, and takes back what this write cannot change: a status beside its subresource, a spec in it.

import { deepEqual, type KubeObject, type ObjectMeta } from '@homeostat/meta'
import { setManagedFields } from '../../registry/managed-fields.ts'
import type { ResourceType } from '../../registry/resource-type.ts'
import { partOf } from '../part-of.ts'
import type { Write } from '../write.ts'

/** Defaults are filled in again only when something was changed. */
export function prepareNew({ type, request, object }: Write): void {
  const { strategy } = type
  if (strategy.prepareForCreate(object, request.user)) strategy.applyDefaults(object)
}

/** What a new object that is right begins with. */
export function prepareValidated({ type, request, object }: Write): void {
  const { strategy } = type
  if (strategy.prepareValidated === undefined) return
  strategy.prepareValidated(object, request.user)
  strategy.applyDefaults(object)
}

export function prepare(write: Write): void {
  const { type, request, object, fields } = write
  const old = write.old as KubeObject
  const { strategy } = type
  const part = partOf(type, request.subresource)
  object.metadata = withServerFields(object.metadata, old.metadata)
  part.prepare(object, old)
  // What a custom object took from the old one has its defaults.
  if (!type.custom) strategy.applyDefaults(object)
  setManagedFields(object, fields)
  if (strategy.generation && part.countsGenerations && countsAsNewGeneration(type, object, old))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1
}

/** What a client may send back but not change. Deletes as little as it can: that would slow down all that follows. */
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

/** Anything but metadata; status too is left out where it is a subresource. */
function countsAsNewGeneration(type: ResourceType, next: KubeObject, old: KubeObject): boolean {
  const apart = (key: string) => key === 'metadata' || (key === 'status' && type.subresources.status)
  for (const key of Object.keys(next)) if (!apart(key) && !deepEqual(next[key], old[key])) return true
  for (const key of Object.keys(old)) if (!apart(key) && next[key] === undefined && old[key] !== undefined) return true
  return false
}
