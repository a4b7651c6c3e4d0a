// Kubernetes objects and OpenAPI documents in protobuf, pure: no clock, no disk, no network.

export { encodeOpenApiV2 } from './openapi-v2/encode-open-api-v2.ts'
export { ProtobufError } from './wire/protobuf-error.ts'
