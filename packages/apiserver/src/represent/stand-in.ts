// What can still be said of an object whose record is damaged: its name, from the key. Watchers get it when such an
// object is deleted, since they must hear of that.

import { encodeObject, type ObjectMeta } from '@homeostat/meta'
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
