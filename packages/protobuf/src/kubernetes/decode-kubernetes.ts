// Decodes the bytes of an enveloped object to the object that JSON would hold.

import { ProtobufError } from '../wire/protobuf-error.ts'
import { WireReader } from '../wire/wire-reader.ts'
import { isEnveloped, openEnvelope } from './envelope.ts'
import { parseRaw } from './forms.ts'
import { type JsonObject, MessageReader } from './message-reader.ts'
import type { MessageTables } from './message-tables.ts'

/** The apiVersion and kind of an object without its own. */
export interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** Throws ProtobufError for anything that is no object of a known kind. */
export function decodeKubernetes(bytes: Uint8Array, tables: MessageTables, expected?: TypeMeta): JsonObject {
  return decode(bytes, tables, expected, 0)
}

/** Objects inside objects: events of a watch, items of a list of anything. */
const MAX_NESTED = 10

function decode(bytes: Uint8Array, tables: MessageTables, expected: TypeMeta | undefined, nested: number): JsonObject {
  if (nested > MAX_NESTED) throw new ProtobufError(`objects are nested deeper than ${MAX_NESTED} levels`)
  const envelope = openEnvelope(bytes)
  const apiVersion = envelope.apiVersion || (expected?.apiVersion ?? '')
  const kind = envelope.kind || (expected?.kind ?? '')
  const message = tables.find(apiVersion, kind)
  if (!message) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`)
  const readRaw = (raw: Buffer, offset: number) =>
    isEnveloped(raw) ? decode(raw, tables, undefined, nested + 1) : parseRaw(raw, offset)
  const reader = new MessageReader(new WireReader(envelope.raw), tables, readRaw)
  return reader.read(message, { apiVersion, kind })
}
