// A stored object as an enveloped message of protobuf. Many typed clients prefer it; it is made once per revision and
// remembered within a bound, for GET, LIST and every watch.

import type { CachedObject } from '../cache/cached-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { Protobuf } from './protobuf.ts'
import { versionBytes } from './version-bytes.ts'

export function protobufBytes(object: CachedObject, type: ResourceType, protobuf: Protobuf): Buffer {
  const { protobufBytes: kept } = type.memo
  return kept.get(object) ?? kept.add(object, protobuf.encode(versionBytes(object, type)))
}
