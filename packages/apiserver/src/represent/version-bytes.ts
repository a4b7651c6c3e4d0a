// The JSON of a stored object in any served version. The stored version costs nothing; others are converted once per
// revision, in a bounded cache.

import { writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, showsStored } from '../registry/versions.ts'

export function versionBytes(object: CachedObject, type: ResourceType): Buffer {
  if (showsStored(type)) return object.bytes
  const copy = type.converter?.copyOf(object)
  if (copy !== undefined) return copy.bytes
  const { versionBytes: kept } = type.memo
  return kept.get(object) ?? kept.add(object, Buffer.from(writeJson(readAs(object, type))))
}
