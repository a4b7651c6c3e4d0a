// A stand-in for an object whose record is damaged, with only the name from its key. Watchers get it in the DELETED event
// of such an object.

import type { ObjectMeta } from '@homeostat/meta'
import { encodeObject } from '@homeostat/meta/server'
import { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'

export function standIn(damaged: CachedObject, type: ResourceType): CachedObject {
  const { key, name, revision } = damaged
  const slash = name.indexOf('/')
  const metadata: ObjectMeta = { name: name.slice(slash + 1) }
  if (slash >= 0) metadata.namespace = name.slice(0, slash)
  if (damaged.damage !== undefined) metadata.annotations = { 'homeostat.dev/damaged': damaged.damage }
  const apiVersion = type.group === '' ? type.storageVersion : `${type.group}/${type.storageVersion}`
  return CachedObject.fromValue(key, name, revision, encodeObject({ apiVersion, kind: type.kind, metadata }))
}
