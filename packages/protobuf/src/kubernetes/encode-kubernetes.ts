// Encodes to protobuf: one object, a list of items that are already encoded, an event of a watch.

import type { JsonValue } from '@homeostat/meta'
import { ProtobufError } from '../wire/protobuf-error.ts'
import { WireWriter } from '../wire/wire-writer.ts'
import type { TypeMeta } from './decode-kubernetes.ts'
import { closeEnvelope, openEnvelope, startEnvelope } from './envelope.ts'
import type { Message, MessageTables } from './message-tables.ts'
import { MessageWriter } from './message-writer.ts'

/** Of a kind that the tables know; throws ProtobufError for any other. What belongs to no group has no apiVersion. */
export function encodeKubernetes(object: Partial<TypeMeta> & object, tables: MessageTables): Buffer {
  const { apiVersion = '', kind = '' } = object
  const writer = new WireWriter()
  const before = startEnvelope(writer)
  const message = messageOf({ apiVersion, kind }, tables)
  new MessageWriter(writer, tables).write(message, object as unknown as JsonValue)
  closeEnvelope(writer, before, apiVersion, kind)
  return writer.finish()
}

/** One item of a list of that type, to be sent between the parts of `encodeList`. */
export function encodeListItem(list: TypeMeta, object: object, tables: MessageTables): Buffer {
  const { message, number } = itemsOf(list, tables)
  const writer = new WireWriter()
  new MessageWriter(writer, tables).write(message, object as unknown as JsonValue)
  writer.close(number, 0)
  return writer.finish()
}

/** The same for an encoded object: in a list it has no envelope of its own. */
export function listItemOf(list: TypeMeta, enveloped: Buffer, tables: MessageTables): Buffer {
  const { raw } = openEnvelope(enveloped)
  const writer = new WireWriter(raw.length + ITEM_HEAD)
  writer.bytes(itemsOf(list, tables).number, raw)
  return writer.finish()
}

function itemsOf(list: TypeMeta, tables: MessageTables): { message: Message; number: number } {
  const items = messageOf(list, tables).fields.find(({ name }) => name === 'items')
  if (!items?.message) throw new ProtobufError(`${list.kind} is no list`)
  return { message: items.message, number: items.number }
}

/** What stands before and after the items of a list, which take `itemBytes` together: the envelope says its length first. */
export function encodeList(
  list: TypeMeta & object,
  itemBytes: number,
  tables: MessageTables,
): { readonly head: Buffer; readonly tail: Buffer } {
  const tail = new WireWriter(TAIL_SIZE)
  startEnvelope(tail)
  const meta = new WireWriter()
  new MessageWriter(meta, tables).write(messageOf(list, tables), { ...list, items: [] } as unknown as JsonValue)
  const head = new WireWriter()
  head.raw(meta.finish())
  // The items, which are sent after it, count as if they had been written here.
  closeEnvelope(head, -itemBytes, list.apiVersion, list.kind)
  return { head: head.finish(), tail: tail.finish() }
}

/** One frame of a stream: its length in four bytes, then the event with its enveloped object. */
export function encodeWatchFrame(type: string, object: Buffer): Buffer {
  const writer = new WireWriter(object.length + FRAME_SIZE)
  writer.bytes(1, object)
  writer.close(2, 0)
  writer.string(1, type)
  const size = Buffer.allocUnsafe(4)
  size.writeUInt32BE(writer.length)
  writer.raw(size)
  return writer.finish()
}

const ITEM_HEAD = 16
const TAIL_SIZE = 16
const FRAME_SIZE = 64

function messageOf({ apiVersion, kind }: TypeMeta, tables: MessageTables): Message {
  const message = tables.find(apiVersion, kind)
  if (!message) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`)
  return message
}
