// Kubernetes objects and OpenAPI documents in protobuf, pure: no clock, no disk, no network.

export { decodeKubernetes, type TypeMeta } from './kubernetes/decode-kubernetes.ts'
export {
  encodeKubernetes,
  encodeList,
  encodeListItem,
  encodeWatchFrame,
  listItemOf,
} from './kubernetes/encode-kubernetes.ts'
export { type MessageTable, MessageTables } from './kubernetes/message-tables.ts'
export { encodeOpenApiV2 } from './openapi-v2/encode-open-api-v2.ts'
export { ProtobufError } from './wire/protobuf-error.ts'
