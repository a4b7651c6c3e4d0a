// A list in the form a client asked for. Plain JSON is sent from the buffers the cache already has, piece by piece;
// every other form is made object by object, giving way to other requests in between.

import { internalError, type KubeObject, writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { separated } from '../cache/join-leaf.ts'
import type { ResourceCache } from '../cache/resource-cache.ts'
import { apiVersionOf, listItem } from '../registry/decode-object.ts'
import type { Listed } from '../registry/list.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { isStoredForm, readAs } from '../registry/versions.ts'
import { partialMetadata } from '../table/partial-metadata.ts'
import { renderTable } from '../table/table.ts'
import { type Answer, answerJson, type FormOptions, JSON_TYPE, metaVersion } from './object-answer.ts'
import { loadProtobuf, PROTOBUF_TYPE } from './protobuf.ts'
import { protobufBytes } from './protobuf-bytes.ts'
import { isYaml, JSON_FORM } from './representation.ts'
import { versionBytes } from './version-bytes.ts'
import { type ListWriter, prettyListWriter, yamlListWriter } from './written-list.ts'

/** A body that is sent in pieces. `length` is known when no object has to be renewed first. */
export interface Pieces {
  readonly contentType: string
  readonly length: number | undefined
  readonly pieces: Iterable<Buffer>
}

/** So long objects are transformed before others get a turn. */
const TURN_MS = 10

export async function answerList(
  listed: Listed,
  resource: ResourceCache,
  type: ResourceType,
  options: FormOptions,
): Promise<Answer | Pieces> {
  const { representation, pretty } = options
  const yaml = isYaml(representation)
  const transformed = pretty || yaml || representation.form === 'table'
  const asStored = representation === JSON_FORM && !pretty && isStoredForm(type)
  if (asStored) return storedList(listed, resource, type)
  const objects = listed.objects ?? [...listed.tree.objects(listed.filter.prefix)]
  if ('protobuf' in representation) return protobufList(listed, objects, resource, type, options)
  const meta = {
    resourceVersion: String(listed.revision),
    ...(listed.continue !== '' && { continue: listed.continue }),
    ...(listed.remaining !== undefined && { remainingItemCount: listed.remaining }),
  }
  if (!transformed) {
    const partial = representation.form === 'partial' ? metaVersion(representation.version) : undefined
    const bytes = await inTurns(objects, resource, (object) =>
      partial ? partialMetadata(object.bytes, object.metaStart, object.metaEnd, partial) : versionItem(object, type),
    )
    const head = partial
      ? `{"kind":"PartialObjectMetadataList","apiVersion":"${partial}"`
      : `{"kind":"${type.listKind}","apiVersion":"${apiVersionOf(type)}"`
    return pieces(`${head},"metadata":${writeJson(partial ? meta : listMeta(listed, type))},"items":[`, bytes)
  }
  if (representation.form === 'table') {
    const parsed = await inTurns(objects, resource, (object) => readAs(object, type))
    return table(parsed, meta, type, options)
  }
  const writer = yaml ? await yamlListWriter() : prettyListWriter
  if (representation.form === 'partial') {
    const apiVersion = metaVersion(representation.version)
    const list = { kind: 'PartialObjectMetadataList', apiVersion, metadata: meta }
    return written(writer, list, objects, resource, (object) => {
      return { kind: 'PartialObjectMetadata', apiVersion, metadata: readAs(object, type).metadata }
    })
  }
  const list = { kind: type.listKind, apiVersion: apiVersionOf(type), metadata: listMeta(listed, type) }
  return written(writer, list, objects, resource, (object) => listItem(readAs(object, type), type))
}

/** An item of a list in another version than the stored one. */
function versionItem(object: CachedObject, type: ResourceType): Buffer {
  const bytes = versionBytes(object, type)
  if (type.custom) return bytes
  const head = headOf(type)
  if (bytes.toString('latin1', 0, head.length) === head)
    return Buffer.concat([OPENING_BRACE, bytes.subarray(head.length)])
  return Buffer.from(writeJson(listItem(readAs(object, type), type)))
}

/** How the JSON of an object begins. */
function headOf(type: ResourceType): string {
  return `{"apiVersion":"${apiVersionOf(type)}","kind":"${type.kind}",`
}

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
  const items = await inTurns(objects, resource, (object) =>
    whole
      ? protobuf.itemOf(list, protobufBytes(object, type, protobuf))
      : protobuf.encodeItem(list, readAs(object, type)),
  )
  const head = { ...list, metadata: listMeta(listed, type) }
  const all = protobuf.encodeList(head, items)
  return { contentType: PROTOBUF_TYPE, length: all.reduce((sum, part) => sum + part.length, 0), pieces: all }
}

async function written(
  writer: ListWriter,
  list: object,
  objects: readonly CachedObject[],
  resource: ResourceCache,
  read: (object: CachedObject) => object,
): Promise<Pieces> {
  const empty = objects.length === 0
  const items = await inTurns(objects, resource, (object) =>
    Buffer.from(writer.item(read(object), object === objects[0])),
  )
  const all = [Buffer.from(writer.head(list, empty)), ...items, Buffer.from(writer.tail(empty))]
  return { contentType: writer.contentType, length: all.reduce((sum, part) => sum + part.length, 0), pieces: all }
}

/** Lists of custom resources always say `continue`; those of built-in kinds only when there is more. */
function listMeta(listed: Listed, type: ResourceType): object {
  const token = listed.continue !== '' || type.custom ? { continue: listed.continue } : {}
  return {
    ...token,
    resourceVersion: String(listed.revision),
    ...(listed.remaining !== undefined && { remainingItemCount: listed.remaining }),
  }
}

function table(objects: KubeObject[], listMeta: object, type: ResourceType, options: FormOptions): Answer {
  const { representation, includeObject, now, pretty } = options
  if (representation.form !== 'table') throw internalError('a table was rendered that nobody asked for')
  return answerJson(
    renderTable(type, objects, {
      includeObject,
      now,
      withColumns: true,
      listMeta,
      apiVersion: metaVersion(representation.version),
    }),
    pretty,
  )
}

function storedList(listed: Listed, resource: ResourceCache, type: ResourceType): Pieces {
  const head = `{"kind":"${type.listKind}","apiVersion":"${apiVersionOf(type)}","metadata":${JSON.stringify(listMeta(listed, type))},"items":[`
  if (!type.custom) resource.itemHead = headOf(type)
  if (listed.objects) {
    for (const object of listed.objects) resource.prepare(object)
    return pieces(
      head,
      listed.objects.map((object) => resource.itemBytes(object)),
    )
  }
  const runs = [...listed.tree.runs(listed.filter.prefix)]
  const chunks = runs.values().map((run) => resource.runBytes(run))
  return framed(head, chunks, resource.lengthOf(runs))
}

function pieces(head: string, parts: readonly Buffer[]): Pieces {
  return framed(head, joined(parts), parts.length + parts.reduce((sum, part) => sum + part.length, 0))
}

/** A few small parts at a time become one buffer; a large one is copied alone. */
function* joined(parts: readonly Buffer[]): Generator<Buffer> {
  let from = 0
  let size = 0
  for (const [at, part] of parts.entries()) {
    size += part.length
    if (size < JOINED_BYTES && at < parts.length - 1) continue
    yield separated(parts.slice(from, at + 1))
    from = at + 1
    size = 0
  }
}

/** Objects that have a comma before each become a list: the first comma is left out. `length` is that of the chunks. */
function framed(head: string, chunks: IteratorObject<Buffer>, length: number | undefined): Pieces {
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
const END = Buffer.from(']}')

async function inTurns<T>(
  objects: readonly CachedObject[],
  resource: ResourceCache,
  transform: (object: CachedObject) => T,
): Promise<T[]> {
  const out: T[] = []
  let turn = performance.now()
  for (const object of objects) {
    resource.prepare(object)
    out.push(transform(object))
    if (performance.now() - turn < TURN_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    turn = performance.now()
  }
  return out
}
