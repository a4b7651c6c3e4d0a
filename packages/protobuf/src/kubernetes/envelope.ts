// The envelope of every Kubernetes object in protobuf: four magic bytes, then a message with the object's apiVersion, kind
// and bytes.

import { ProtobufError } from '../wire/protobuf-error.ts'
import { WireReader } from '../wire/wire-reader.ts'
import type { WireWriter } from '../wire/wire-writer.ts'

export interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Buffer
}

const MAGIC = Buffer.from('k8s\0')

export function isEnveloped(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte)
}

export function openEnvelope(bytes: Uint8Array): Envelope {
  if (!isEnveloped(bytes)) throw new ProtobufError('it does not begin with "k8s" and a zero byte')
  const reader = new WireReader(bytes.subarray(MAGIC.length))
  let raw: Buffer = EMPTY
  const type = { apiVersion: '', kind: '' }
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) readType(reader, type)
    else if (field === 2) raw = reader.bytes()
    // No client or server uses another content type or encoding.
    else reader.skip()
  }
  return { ...type, raw }
}

/** Turns all that was written since `length` was `before` into the object of an envelope. */
export function closeEnvelope(writer: WireWriter, before: number, apiVersion: string, kind: string): void {
  writer.close(2, before)
  const head = writer.length
  writer.string(2, kind)
  writer.string(1, apiVersion)
  writer.close(1, head)
  writer.raw(MAGIC)
}

/** What follows the object in its envelope. Written before it, since writing goes from the end to the start. */
export function startEnvelope(writer: WireWriter): number {
  writer.string(4, '')
  writer.string(3, '')
  return writer.length
}

function readType(reader: WireReader, type: { apiVersion: string; kind: string }): void {
  const outer = reader.enter()
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) type.apiVersion = reader.string()
    else if (field === 2) type.kind = reader.string()
    else reader.skip()
  }
  reader.leave(outer)
}

const EMPTY = Buffer.alloc(0)
