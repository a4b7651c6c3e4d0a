// Kubernetes protobuf for request and response bodies. The codec is loaded with the first request that uses it.

import { readFileSync } from 'node:fs'
import { once } from '@homeostat/base'
import { badRequest, type JsonValue, readJson } from '@homeostat/meta'
import type { TypeMeta } from '@homeostat/protobuf'

export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf'
export const PROTOBUF_STREAM = `${PROTOBUF_TYPE};stream=watch`

export interface Protobuf {
  /** Throws a StatusError when the bytes are not an object. `expected` is the type of an object that does not name one. */
  decode(bytes: Buffer, expected: TypeMeta): JsonValue
  /** Encodes one object, given as JSON with apiVersion and kind. */
  encode(json: Buffer): Buffer
  /** Encodes one item of a list of that type, from the object's JSON or from its cached envelope. */
  encodeItem(list: TypeMeta, object: object): Buffer
  itemOf(list: TypeMeta, enveloped: Buffer): Buffer
  /** The bytes before and after the items of a list; `itemBytes` is the size of all items. */
  encodeList(list: TypeMeta & object, itemBytes: number): { readonly head: Buffer; readonly tail: Buffer }
  /** Encodes a JSON line of a watch as a frame. */
  encodeEvent(line: Buffer): Buffer
  /** Makes an event from an encoded object. */
  eventOf(type: string, enveloped: Buffer): Buffer
}

/** The codec with its tables: facts that are read from a file once, and never change. */
export const loadProtobuf: () => Promise<Protobuf> = once(load)

const MESSAGES = new URL('../../facts/messages.json', import.meta.url)

async function load(): Promise<Protobuf> {
  // With the first request that speaks protobuf: the codec and its tables are not part of a start.
  const codec = await import('@homeostat/protobuf')
  const tables = new codec.MessageTables(JSON.parse(readFileSync(MESSAGES, 'utf8')))
  return {
    decode: (bytes, expected) => {
      try {
        return codec.decodeKubernetes(bytes, tables, expected)
      } catch (error) {
        if (!(error instanceof codec.ProtobufError)) throw error
        throw badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${error.message}`)
      }
    },
    encode: (json) => codec.encodeKubernetes(asTyped(parse(json)), tables),
    encodeItem: (list, object) => codec.encodeListItem(list, object, tables),
    itemOf: (list, enveloped) => codec.listItemOf(list, enveloped, tables),
    eventOf: (type, enveloped) => codec.encodeWatchFrame(type, enveloped),
    encodeList: (list, itemBytes) => codec.encodeList(list, itemBytes, tables),
    encodeEvent: (line) => {
      const { type, object } = parse(line) as { type: string; object: JsonValue }
      return codec.encodeWatchFrame(type, codec.encodeKubernetes(asTyped(object), tables))
    },
  }
}

function parse(json: Buffer): JsonValue {
  return readJson(json.toString()).value
}

function asTyped(value: JsonValue): TypeMeta & object {
  return value as unknown as TypeMeta & object
}
