// Encodes watch events in the negotiated form.

import { type KubeObject, writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { apiVersionOf } from '../registry/decode-object.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, showsStored } from '../registry/versions.ts'
import { partialMetadata } from '../table/partial-metadata.ts'
import { renderTable } from '../table/table.ts'
import { bookmarkObject, type EventEncoder, jsonEncoder } from '../watch/watch-event.ts'
import { type FormOptions, metaVersion } from './object-response.ts'
import type { Protobuf } from './protobuf.ts'
import { protobufBytes } from './protobuf-bytes.ts'
import { standIn } from './stand-in.ts'

/** `now` is called for every event, since tables show ages. */
export function eventEncoder(type: ResourceType, options: FormOptions, now: () => number): EventEncoder {
  const { pieces, ...encoder } = soundEncoder(type, options, now)
  const sound = (object: CachedObject) => (object.damage === undefined ? object : standIn(object, type))
  return {
    ...encoder,
    encode: (event, object, revision, first) => encoder.encode(event, sound(object), revision, first),
    ...(pieces && { pieces: (event, object, revision) => pieces(event, sound(object), revision) }),
  }
}

/** Frames the events as protobuf. Whole objects are encoded once per revision; a deletion has its own revision. */
export function protobufEvents(
  type: ResourceType,
  options: FormOptions,
  now: () => number,
  protobuf: Protobuf,
): EventEncoder {
  const { pieces: _, ...encoder } = eventEncoder(type, options, now)
  const whole = options.representation.form === 'json'
  return {
    ...encoder,
    key: `protobuf ${encoder.key}`,
    encode: (event, object, revision, first) =>
      whole && object.damage === undefined && object.revision === revision
        ? protobuf.eventOf(event, protobufBytes(object, type, protobuf))
        : protobuf.encodeEvent(encoder.encode(event, object, revision, first)),
    bookmark: (revision, end) => protobuf.encodeEvent(encoder.bookmark(revision, end)),
    failure: (status) => protobuf.encodeEvent(Buffer.from(JSON.stringify({ type: 'ERROR', object: status }))),
  }
}

function soundEncoder(type: ResourceType, options: FormOptions, now: () => number): EventEncoder {
  const { representation } = options
  const apiVersion = apiVersionOf(type)
  if (representation.form === 'table') return tableEncoder(type, representation.version, options, now)
  if (representation.form === 'partial') return partialEncoder(representation.version)
  const stored = jsonEncoder(apiVersion, type.kind)
  if (showsStored(type)) return stored
  const { pieces: _, ...transformed } = stored
  return {
    ...transformed,
    key: `json ${apiVersion}`,
    encode: (event, object, revision) => line(event, Buffer.from(writeJson(at(readAs(object, type), revision)))),
  }
}

function partialEncoder(version: string): EventEncoder {
  const apiVersion = metaVersion(version)
  return {
    key: `partial ${version}`,
    firstDiffers: false,
    encode: (event, object, revision) => line(event, partialOf(object, revision, apiVersion)),
    bookmark: (revision, end) =>
      line('BOOKMARK', Buffer.from(JSON.stringify(bookmarkObject(apiVersion, 'PartialObjectMetadata', revision, end)))),
  }
}

/** A deleted object's metadata has the revision of its deletion, which may have more digits. */
function partialOf(object: CachedObject, revision: number, apiVersion: ReturnType<typeof metaVersion>): Buffer {
  if (object.revision === revision) return partialMetadata(object.bytes, object.metaStart, object.metaEnd, apiVersion)
  const metaEnd = object.metaEnd + String(revision).length - String(object.revision).length
  return partialMetadata(object.withRevision(revision), object.metaStart, metaEnd, apiVersion)
}

/** Each event is a Table of one row; only the first of a stream has the columns. */
function tableEncoder(type: ResourceType, version: string, options: FormOptions, now: () => number): EventEncoder {
  const apiVersion = metaVersion(version)
  const render = (object: KubeObject, withColumns: boolean) => {
    const listMeta = { resourceVersion: object.metadata.resourceVersion ?? '' }
    return renderTable(type, [object], {
      includeObject: options.includeObject,
      now: now(),
      withColumns,
      listMeta,
      apiVersion,
    })
  }
  return {
    key: `table ${version} ${options.includeObject} ${type.memo.identity}`,
    firstDiffers: true,
    encode: (event, object, revision, first) =>
      line(event, Buffer.from(writeJson(render(at(readAs(object, type), revision), first)))),
    bookmark: (revision, end) => {
      const object = bookmarkObject(apiVersionOf(type), type.kind, revision, end)
      const rows = [{ cells: type.columns.map(() => null), object }]
      return line(
        'BOOKMARK',
        Buffer.from(
          JSON.stringify({
            kind: 'Table',
            apiVersion,
            metadata: { resourceVersion: String(revision) },
            columnDefinitions: null,
            rows,
          }),
        ),
      )
    },
  }
}

function at(object: KubeObject, revision: number): KubeObject {
  object.metadata.resourceVersion = String(revision)
  return object
}

function line(event: string, object: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${event}","object":`), object, TAIL])
}

const TAIL = Buffer.from('}\n')
