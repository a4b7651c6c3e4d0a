// A stored object as an enveloped protobuf message, which many typed clients prefer. Encoded once per revision, in a
// bounded cache for GET, LIST and every watch.

import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { Protobuf } from './protobuf.ts'
import { versionBytes } from './version-bytes.ts'

export function protobufBytes(object: CachedObject, type: ResourceType, protobuf: Protobuf): Buffer {
  const { protobufBytes: kept } = type.memo
  return kept.get(object) ?? kept.add(object, protobuf.encode(versionBytes(object, type)))
}
