// A list in the negotiated form. Plain JSON is sent from the cache's buffers; other forms are made object by object while
// they are sent, so that a long list takes no more memory than a short one.

import { TimeSlice } from '@homeostat/base'
import { writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged, separated } from '../cache/join-leaf.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import { apiVersionOf, listItem } from '../registry/decode-object.ts'
import type { Listed } from '../registry/list.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, showsStored } from '../registry/versions.ts'
import { partialMetadata } from '../table/partial-metadata.ts'
import { renderTable } from '../table/table.ts'
import { type FormOptions, JSON_TYPE, metaVersion } from './object-response.ts'
import { loadProtobuf, PROTOBUF_TYPE } from './protobuf.ts'
import { protobufBytes } from './protobuf-bytes.ts'
import { isYaml, JSON_FORM } from './representation.ts'
import { versionBytes } from './version-bytes.ts'
import { type ListWriter, plainWriter, prettyWriter, yamlWriterFor } from './written-list.ts'

/** A body that is sent in pieces. `length` is known when no object has to be renewed first. */
export interface Pieces {
  readonly contentType: string
  readonly length: number | undefined
  readonly pieces: Iterable<Buffer>
}

export async function listResponse(
  listed: Listed,
  resource: ResourceCache,
  type: ResourceType,
  options: FormOptions,
): Promise<Pieces> {
  const { representation, pretty } = options
  const yaml = isYaml(representation)
  const transformed = pretty || yaml || representation.form === 'table'
  const asStored = representation === JSON_FORM && !pretty && showsStored(type)
  if (asStored) return storedList(listed, resource, type)
  const objects = listed.objects ?? [...listed.tree.objects(listed.filter.prefix)]
  // Check before the head is sent: later the response could only be cut.
  for (const object of objects) refuseDamaged(object)
  if ('protobuf' in representation) return protobufList(listed, objects, resource, type, options)
  const meta = {
    resourceVersion: String(listed.revision),
    ...(listed.continue !== '' && { continue: listed.continue }),
    ...(listed.remaining !== undefined && { remainingItemCount: listed.remaining }),
  }
  if (!transformed) {
    const partial = representation.form === 'partial' ? metaVersion(representation.version) : undefined
    const bytes = objects.values().map((object) => {
      resource.prepare(object)
      return partial
        ? partialMetadata(object.bytes, object.metaStart, object.metaEnd, partial)
        : versionItem(object, type)
    })
    const head = partial
      ? `{"kind":"PartialObjectMetadataList","apiVersion":"${partial}"`
      : `{"kind":"${type.listKind}","apiVersion":"${apiVersionOf(type)}"`
    const text = `${head},"metadata":${writeJson(partial ? meta : listMeta(listed, type))},"items":[`
    return measured(JSON_TYPE, framed(text, joined(bytes), undefined).pieces)
  }
  const read = (object: CachedObject) => readAs(object, type)
  if (representation.form === 'table') {
    const { includeObject, now } = options
    const table = { includeObject, now, listMeta: meta, apiVersion: metaVersion(representation.version) }
    const { rows: _, ...list } = renderTable(type, [], { ...table, withColumns: true })
    const writer = yaml ? await yamlWriterFor('rows') : pretty ? prettyWriter('rows') : plainWriter('rows')
    const row = (object: CachedObject) =>
      renderTable(type, [read(object)], { ...table, withColumns: false }).rows[0] ?? {}
    return written(writer, list, objects, resource, row)
  }
  const writer = yaml ? await yamlWriterFor('items') : prettyWriter('items')
  if (representation.form === 'partial') {
    const apiVersion = metaVersion(representation.version)
    const list = { kind: 'PartialObjectMetadataList', apiVersion, metadata: meta }
    return written(writer, list, objects, resource, (object) => {
      return { kind: 'PartialObjectMetadata', apiVersion, metadata: read(object).metadata }
    })
  }
  const list = { kind: type.listKind, apiVersion: apiVersionOf(type), metadata: listMeta(listed, type) }
  return written(writer, list, objects, resource, (object) => listItem(read(object), type))
}

/** An item in a version other than the stored one. */
function versionItem(object: CachedObject, type: ResourceType): Buffer {
  const bytes = versionBytes(object, type)
  if (type.custom) return bytes
  const head = headOf(type)
  if (bytes.toString('latin1', 0, head.length) === head)
    return Buffer.concat([OPENING_BRACE, bytes.subarray(head.length)])
  return Buffer.from(writeJson(listItem(readAs(object, type), type)))
}

/** The start of an object's JSON. */
function headOf(type: ResourceType): string {
  return `{"apiVersion":"${apiVersionOf(type)}","kind":"${type.kind}",`
}

/**
 * The envelope starts with the length of the list. The items of a long list are encoded twice, first to measure and then to
 * send them, so that they are never all in memory.
 */
async function protobufList(
  listed: Listed,
  objects: readonly CachedObject[],
  resource: ResourceCache,
  type: ResourceType,
  { representation }: FormOptions,
): Promise<Pieces> {
  const protobuf = await loadProtobuf()
  const list =
    representation.form === 'partial'
      ? { kind: 'PartialObjectMetadataList', apiVersion: metaVersion(representation.version) }
      : { kind: type.listKind, apiVersion: apiVersionOf(type) }
  const whole = representation.form === 'json'
  const encode = (object: CachedObject): Buffer => {
    resource.prepare(object)
    return whole
      ? protobuf.itemOf(list, protobufBytes(object, type, protobuf))
      : protobuf.encodeItem(list, readAs(object, type))
  }
  const first: Buffer[] = []
  let length = 0
  const slice = new TimeSlice()
  for (const object of objects) {
    const item = encode(object)
    if (length <= MADE_AT_ONCE) first.push(item)
    length += item.length
    const turn = slice.next()
    if (turn !== undefined) await turn
  }
  const shown = { ...list, metadata: listMeta(listed, type) }
  const { head, tail } = protobuf.encodeList(shown, length)
  const items = function* (): Generator<Buffer> {
    yield head
    yield* first
    for (const object of objects.slice(first.length)) yield encode(object)
    yield tail
  }
  return {
    contentType: PROTOBUF_TYPE,
    length: head.length + length + tail.length,
    pieces: gathered(items()),
  }
}

function written(
  writer: ListWriter,
  list: object,
  objects: readonly CachedObject[],
  resource: ResourceCache,
  read: (object: CachedObject) => object,
): Pieces {
  const empty = objects.length === 0
  const texts = function* (): Generator<Buffer> {
    yield Buffer.from(writer.head(list, empty))
    for (const [index, object] of objects.entries()) {
      resource.prepare(object)
      yield Buffer.from(writer.item(read(object), index === 0))
    }
    yield Buffer.from(writer.tail(empty))
  }
  return measured(writer.contentType, gathered(texts()))
}

/** A short list is made at once and has a length; the rest of a long one is made while it is sent. */
function measured(contentType: string, pieces: IteratorObject<Buffer>): Pieces {
  const made: Buffer[] = []
  let length = 0
  while (length <= MADE_AT_ONCE) {
    const { done, value } = pieces.next()
    if (done) return { contentType, length, pieces: made }
    made.push(value)
    length += value.length
  }
  return {
    contentType,
    length: undefined,
    pieces: (function* () {
      yield* made
      yield* pieces
    })(),
  }
}

/** Joins small pieces into larger buffers. */
function* gathered(pieces: Iterable<Buffer>): Generator<Buffer> {
  let few: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    few.push(piece)
    size += piece.length
    if (size < JOINED_BYTES) continue
    yield few.length === 1 ? piece : Buffer.concat(few)
    few = []
    size = 0
  }
  if (few.length > 0) yield Buffer.concat(few)
}

/** Lists of custom resources always have `continue`; those of built-in kinds only when there are more items. */
function listMeta(listed: Listed, type: ResourceType): object {
  const token = listed.continue !== '' || type.custom ? { continue: listed.continue } : {}
  return {
    ...token,
    resourceVersion: String(listed.revision),
    ...(listed.remaining !== undefined && { remainingItemCount: listed.remaining }),
  }
}

function storedList(listed: Listed, resource: ResourceCache, type: ResourceType): Pieces {
  const head = `{"kind":"${type.listKind}","apiVersion":"${apiVersionOf(type)}","metadata":${JSON.stringify(listMeta(listed, type))},"items":[`
  if (!type.custom) resource.itemHead = headOf(type)
  if (listed.objects) {
    let length = 0
    for (const object of listed.objects) {
      resource.prepare(object)
      length += 1 + resource.itemSize(object)
    }
    const items = listed.objects.values().map((object) => resource.itemBytes(object))
    return framed(head, joined(items), length)
  }
  const ranges = [...listed.tree.ranges(listed.filter.prefix)]
  const chunks = ranges.values().map((range) => resource.rangeBytes(range))
  return framed(head, chunks, resource.lengthOf(ranges))
}

/** Joins small parts into larger buffers, with a comma before each; a large part is copied alone. */
function* joined(parts: Iterable<Buffer>): Generator<Buffer> {
  let few: Buffer[] = []
  let size = 0
  for (const part of parts) {
    few.push(part)
    size += part.length
    if (size < JOINED_BYTES) continue
    yield separated(few)
    few = []
    size = 0
  }
  if (few.length > 0) yield separated(few)
}

/** Wraps objects that have a comma before each into a list, without the first comma. `length` is that of the chunks. */
function framed(
  head: string,
  chunks: IteratorObject<Buffer>,
  length: number | undefined,
): Pieces & { readonly pieces: IteratorObject<Buffer> } {
  const body = function* (): Generator<Buffer> {
    const first = chunks.next()
    if (first.done) {
      yield Buffer.from(`${head}]}`)
      return
    }
    yield Buffer.from(head)
    yield first.value.subarray(1)
    yield* chunks
    yield END
  }
  const comma = length === 0 ? 0 : 1
  return {
    contentType: JSON_TYPE,
    length: length === undefined ? undefined : Buffer.byteLength(head) + length - comma + END.length,
    pieces: body(),
  }
}

const JOINED_BYTES = 64 << 10
const OPENING_BRACE = Buffer.from('{')
/** Smaller responses are sent uncompressed, with their length. */
const MADE_AT_ONCE = 128 << 10
const END = Buffer.from(']}')
