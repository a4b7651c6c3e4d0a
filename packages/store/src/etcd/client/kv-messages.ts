// The messages of etcd's KV service in protobuf, and the key and its value in those of others. The client sends them. Fields are
// written in descending order, since the writer goes from the end of a message to its start.

import { WireReader, WireWriter } from '@homeostat/protobuf/wire'
import type {
  Compare,
  KeyValue,
  Operation,
  OperationResponse,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
} from './contract.ts'

const NOTHING = Buffer.alloc(0)
const RESULTS = { equal: 0, greater: 1, less: 2 } as const
const TARGETS = { version: 0, createRevision: 1, modRevision: 2 } as const
/** Where the number that is compared with stands. */
const TARGET_FIELDS = { version: 4, createRevision: 5, modRevision: 6 } as const

export function encodeRange(request: RangeRequest): WireWriter {
  const writer = new WireWriter(64 + request.key.length * 2)
  writeRange(writer, request)
  return writer
}

export function encodeTxn(request: TxnRequest): WireWriter {
  const writer = new WireWriter(sizeOf(request))
  for (const operation of request.failure?.toReversed() ?? []) writeOperation(writer, 3, operation)
  for (const operation of request.success.toReversed()) writeOperation(writer, 2, operation)
  for (const compare of request.compare.toReversed()) writeCompare(writer, compare)
  return writer
}

export function encodeCompaction(revision: number): WireWriter {
  const writer = new WireWriter(16)
  writer.integer(1, revision)
  return writer
}

function writeRange(writer: WireWriter, request: RangeRequest): void {
  if (request.countOnly) writer.bool(9, true)
  if (request.keysOnly) writer.bool(8, true)
  if (request.serializable) writer.bool(7, true)
  if (request.revision) writer.integer(4, request.revision)
  if (request.limit) writer.integer(3, request.limit)
  if (request.end !== undefined) writer.string(2, request.end)
  writer.string(1, request.key)
}

function writeCompare(writer: WireWriter, { key, target, result = 'equal', value }: Compare): void {
  const before = writer.length
  writer.integer(TARGET_FIELDS[target], value)
  writer.string(3, key)
  writer.integer(2, TARGETS[target])
  writer.integer(1, RESULTS[result])
  writer.close(1, before)
}

function writeOperation(writer: WireWriter, field: number, operation: Operation): void {
  const outer = writer.length
  const before = writer.length
  if (operation.type === 'put') {
    const value = writer.length
    for (let part = operation.value.length - 1; part >= 0; part--) writer.raw(operation.value[part] ?? NOTHING)
    writer.close(2, value)
    writer.string(1, operation.key)
    writer.close(2, before)
  } else if (operation.type === 'delete') {
    if (operation.end !== undefined) writer.string(2, operation.end)
    writer.string(1, operation.key)
    writer.close(3, before)
  } else {
    writeRange(writer, operation)
    writer.close(1, before)
  }
  writer.close(field, outer)
}

/** Enough for keys of ASCII, so that the writer does not grow and copy. */
function sizeOf({ compare, success, failure = [] }: TxnRequest): number {
  let size = 64
  for (const { key } of compare) size += key.length + 48
  for (const operations of [success, failure])
    for (const operation of operations) {
      size += operation.key.length + 64
      if (operation.type === 'put') for (const part of operation.value) size += part.length
    }
  return size
}

export function decodeRange(bytes: Buffer): RangeResponse {
  return readRange(new WireReader(bytes))
}

export function decodeTxn(bytes: Buffer): TxnResponse {
  const reader = new WireReader(bytes)
  const responses: OperationResponse[] = []
  let revision = 0
  let succeeded = false
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) revision = readHeader(reader)
    else if (field === 2) succeeded = reader.bool()
    else if (field === 3) responses.push(readOperation(reader))
    else reader.skip()
  }
  return { succeeded, revision, responses }
}

/** The revision in the header of a response, which is the field that was read last. */
export function readHeader(reader: WireReader): number {
  const outer = reader.enter()
  let revision = 0
  for (let field = reader.field(); field !== 0; field = reader.field())
    if (field === 3) revision = Number(reader.integer())
    else reader.skip()
  reader.leave(outer)
  return revision
}

export function readKeyValue(reader: WireReader): KeyValue {
  const outer = reader.enter()
  let key = ''
  let value: Buffer = NOTHING
  let createRevision = 0
  let modRevision = 0
  let version = 0
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) key = reader.string()
    else if (field === 2) createRevision = Number(reader.integer())
    else if (field === 3) modRevision = Number(reader.integer())
    else if (field === 4) version = Number(reader.integer())
    else if (field === 5) value = reader.bytes()
    else reader.skip()
  }
  reader.leave(outer)
  return { key, value, createRevision, modRevision, version }
}

function readRange(reader: WireReader): RangeResponse {
  const kvs: KeyValue[] = []
  let revision = 0
  let more = false
  let count = 0
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) revision = readHeader(reader)
    else if (field === 2) kvs.push(readKeyValue(reader))
    else if (field === 3) more = reader.bool()
    else if (field === 4) count = Number(reader.integer())
    else reader.skip()
  }
  return { revision, kvs, more, count }
}

function readOperation(reader: WireReader): OperationResponse {
  const outer = reader.enter()
  let response: OperationResponse = { type: 'put' }
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    const inner = reader.enter()
    if (field === 1) response = { type: 'range', ...readRange(reader) }
    else if (field === 3) response = { type: 'delete', deleted: readDeleted(reader) }
    else while (reader.field() !== 0) reader.skip()
    reader.leave(inner)
  }
  reader.leave(outer)
  return response
}

function readDeleted(reader: WireReader): number {
  let deleted = 0
  for (let field = reader.field(); field !== 0; field = reader.field())
    if (field === 2) deleted = Number(reader.integer())
    else reader.skip()
  return deleted
}
