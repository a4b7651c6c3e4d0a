// The JSON of a stored object in any served version. The stored version costs nothing; others are made once per
// revision and remembered within a bound.

import { writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { isStoredForm, readAs } from '../registry/versions.ts'
import { BoundedBytes } from './bounded-bytes.ts'

export function versionBytes(object: CachedObject, type: ResourceType): Buffer {
  if (isStoredForm(type)) return object.bytes
  let byType = remembered.get(type)
  if (!byType) {
    byType = new BoundedBytes(MAX_BYTES)
    remembered.set(type, byType)
  }
  return byType.get(object) ?? byType.add(object, Buffer.from(writeJson(readAs(object, type))))
}

/** A type is replaced when its definition changes, and what was made under it goes with it. */
const remembered = new WeakMap<ResourceType, BoundedBytes>()
const MAX_BYTES = 8 << 20
