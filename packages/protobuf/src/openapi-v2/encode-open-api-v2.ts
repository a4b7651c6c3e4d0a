// An OpenAPI v2 document in protobuf: the form in which kubectl before 1.29 asks for it, and no other.

import { WireWriter } from '../wire/wire-writer.ts'
import { document } from './shapes.ts'

/** `swagger` is a Swagger 2.0 document as JSON. Fields of proto3: what is zero, false or empty is not written. */
export function encodeOpenApiV2(swagger: object): Buffer {
  const writer = new WireWriter(START_SIZE)
  document(writer, swagger)
  return writer.finish()
}

const START_SIZE = 256 << 10
