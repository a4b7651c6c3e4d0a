// The messages of etcd's Watch service in protobuf. The watch sends and reads them.

import { WireReader, WireWriter } from '@homeostat/protobuf/wire'
import type { KeyValue, WatchEvent, WatchRequest } from './contract.ts'
import { readHeader, readKeyValue } from './kv-messages.ts'

export interface WatchResponse {
  readonly revision: number
  readonly created: boolean
  readonly cancelled: boolean
  /** Set when the watch was cancelled since its revision is compacted. */
  readonly compactRevision: number
  readonly reason: string
  /** More responses with events of the same revisions follow. */
  readonly fragment: boolean
  readonly events: readonly WatchEvent[]
}

const NO_KEY: KeyValue = { key: '', value: Buffer.alloc(0), createRevision: 0, modRevision: 0, version: 0 }

export function encodeWatchCreate(request: WatchRequest): WireWriter {
  const writer = new WireWriter(64 + request.key.length * 2)
  // Otherwise a response larger than the member's limit ends the stream.
  writer.bool(8, true)
  if (request.previous) writer.bool(6, true)
  writer.integer(3, request.from)
  if (request.end !== undefined) writer.string(2, request.end)
  writer.string(1, request.key)
  writer.close(1, 0)
  return writer
}

export function encodeProgressRequest(): WireWriter {
  const writer = new WireWriter(16)
  writer.close(3, 0)
  return writer
}

export function decodeWatch(bytes: Buffer): WatchResponse {
  const reader = new WireReader(bytes)
  const events: WatchEvent[] = []
  let revision = 0
  let created = false
  let cancelled = false
  let compactRevision = 0
  let reason = ''
  let fragment = false
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) revision = readHeader(reader)
    else if (field === 3) created = reader.bool()
    else if (field === 4) cancelled = reader.bool()
    else if (field === 5) compactRevision = Number(reader.integer())
    else if (field === 6) reason = reader.string()
    else if (field === 7) fragment = reader.bool()
    else if (field === 11) events.push(readEvent(reader))
    else reader.skip()
  }
  return { revision, created, cancelled, compactRevision, reason, fragment, events }
}

function readEvent(reader: WireReader): WatchEvent {
  const outer = reader.enter()
  let type: WatchEvent['type'] = 'put'
  let kv = NO_KEY
  let previous: KeyValue | undefined
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field === 1) type = reader.int32() === 1 ? 'delete' : 'put'
    else if (field === 2) kv = readKeyValue(reader)
    else if (field === 3) previous = readKeyValue(reader)
    else reader.skip()
  }
  reader.leave(outer)
  return { type, kv, previous }
}
