// A stored object as an enveloped message of protobuf. Many typed clients prefer it; it is made once per revision and
// remembered within a bound, for GET, LIST and every watch.

import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { BoundedBytes } from './bounded-bytes.ts'
import type { Protobuf } from './protobuf.ts'
import { versionBytes } from './version-bytes.ts'

export function protobufBytes(object: CachedObject, type: ResourceType, protobuf: Protobuf): Buffer {
  let byType = remembered.get(type)
  if (!byType) {
    byType = new BoundedBytes(MAX_BYTES)
    remembered.set(type, byType)
  }
  return byType.get(object) ?? byType.add(object, protobuf.encode(versionBytes(object, type)))
}

const remembered = new WeakMap<ResourceType, BoundedBytes>()
/** Of one resource: about 30,000 Pods. A list of more is made anew each time. */
const MAX_BYTES = 32 << 20
