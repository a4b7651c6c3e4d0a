// One object in the negotiated form. The stored JSON is sent unchanged; other forms are made from it.

import { type KubeObject, writeJson } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Written } from '../pipeline/write.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { readAs, withCopies } from '../registry/versions.ts'
import { partialMetadata } from '../table/partial-metadata.ts'
import { type IncludeObject, type MetaVersion, renderTable } from '../table/table.ts'
import { loadProtobuf, PROTOBUF_TYPE } from './protobuf.ts'
import { protobufBytes } from './protobuf-bytes.ts'
import type { Representation } from './representation.ts'
import { versionBytes } from './version-bytes.ts'
import { writeYaml } from './yaml.ts'

export interface FormOptions {
  readonly representation: Representation
  /** Indented JSON, for people. */
  readonly pretty: boolean
  readonly includeObject: IncludeObject
  readonly now: number
}

export interface ResponseBody {
  readonly contentType: string
  readonly body: Buffer
}

export const JSON_TYPE = 'application/json'

export function storedResponse(
  object: CachedObject,
  type: ResourceType,
  options: FormOptions,
): ResponseBody | Promise<ResponseBody> {
  if (type.converter === undefined || showsMetadata(options)) return heldResponse(object, type, options)
  return withCopies(type, [object], () => heldResponse(object, type, options))
}

/** Metadata alone is that of the stored form, also where a webhook converts the object. */
export function showsMetadata({ representation, pretty }: FormOptions): boolean {
  return representation.form === 'partial' && !pretty
}

function heldResponse(
  object: CachedObject,
  type: ResourceType,
  options: FormOptions,
): ResponseBody | Promise<ResponseBody> {
  const { representation, pretty } = options
  if (pretty || representation.form === 'yaml' || representation.form === 'table')
    return objectResponse(readAs(object, type), type, options)
  if (representation.form === 'json' && representation.protobuf)
    return loadProtobuf().then((protobuf) => {
      return { contentType: PROTOBUF_TYPE, body: protobufBytes(object, type, protobuf) }
    })
  if (representation.form === 'partial')
    return json(partialMetadata(object.bytes, object.metaStart, object.metaEnd, metaVersion(representation.version)))
  return json(versionBytes(object, type))
}

/** For an object that is not stored in this form, as after a dry run or a conversion. */
export function objectResponse(
  object: KubeObject,
  type: Pick<ResourceType, 'columns'>,
  options: FormOptions,
): ResponseBody | Promise<ResponseBody> {
  const { representation, includeObject, now } = options
  switch (representation.form) {
    case 'json':
      return jsonResponse(object, options.pretty)
    case 'yaml':
      return writeYaml(object).then((body) => ({ contentType: 'application/yaml', body }))
    case 'partial':
      return jsonResponse(
        { kind: 'PartialObjectMetadata', apiVersion: metaVersion(representation.version), metadata: object.metadata },
        options.pretty,
      )
    case 'table': {
      const listMeta = {
        ...(object.metadata.resourceVersion !== undefined && { resourceVersion: object.metadata.resourceVersion }),
      }
      return jsonResponse(
        renderTable(type, [object], {
          includeObject,
          now,
          withColumns: true,
          listMeta,
          apiVersion: metaVersion(representation.version),
        }),
        options.pretty,
      )
    }
  }
}

export function writtenResponse(
  written: Written,
  type: ResourceType,
  options: FormOptions,
): ResponseBody | Promise<ResponseBody> {
  return 'stored' in written
    ? storedResponse(written.stored, type, options)
    : objectResponse(written.object, type, options)
}

export function jsonResponse(value: unknown, pretty: boolean): ResponseBody {
  return json(Buffer.from(pretty ? `${indent(writeJson(value))}\n` : writeJson(value)))
}

export function metaVersion(version: string): MetaVersion {
  return `meta.k8s.io/${version}` as MetaVersion
}

/** Indents the text without parsing numbers, so that numbers of any size survive. */
export function indent(text: string): string {
  const big = /[0-9]{16}/.test(text)
  return big ? layOut(text) : JSON.stringify(JSON.parse(text), null, 2)
}

function layOut(text: string): string {
  let out = ''
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"\s]+/g)) {
    if (token === '{' || token === '[') out += `${token}\n${'  '.repeat(++depth)}`
    else if (token === '}' || token === ']') out += `\n${'  '.repeat(--depth)}${token}`
    else if (token === ',') out += `,\n${'  '.repeat(depth)}`
    else out += token === ':' ? ': ' : token
  }
  return out.replace(/([{[])\n\s*\n\s*([}\]])/g, '$1$2')
}

function json(body: Buffer): ResponseBody {
  return { contentType: JSON_TYPE, body }
}
