// The wire format alone, for messages that are not Kubernetes': the etcd client of the store writes and reads with it.

export { ProtobufError } from './protobuf-error.ts'
export { WireReader } from './wire-reader.ts'
export { WireWriter } from './wire-writer.ts'
