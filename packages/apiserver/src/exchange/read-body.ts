// Reads and parses a request's body within limits: JSON, YAML, or protobuf where the kind has a message. CBOR is refused
// with 415, after which clients fall back to JSON.

import { badRequest } from '@homeostat/meta'
import {
  holdsTooMuch,
  JsonError,
  type JsonRead,
  JsonWeightError,
  MAX_JSON_WEIGHT,
  readSentJson,
  requestEntityTooLarge,
  unsupportedMediaType,
} from '@homeostat/meta/server'
import type { TypeMeta } from '@homeostat/protobuf'
import { apiVersionOf } from '../registry/decode-object.ts'
import { REDACTED } from '../registry/redact.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { loadProtobuf, PROTOBUF_TYPE } from '../represent/protobuf.ts'
import { readYaml, type YamlWorkers } from '../represent/yaml.ts'
import type { ApiRequest } from './api-request.ts'

export const MAX_BODY = 3 << 20

/** Resolves in one batch with other bodies that complete in the same turn of the event loop. `most`: in bytes. */
export function readBytes(request: ApiRequest, most = MAX_BODY): Promise<Buffer> {
  if (Number(request.headers['content-length']) > most) return Promise.reject(requestEntityTooLarge(most))
  const { message, parts } = request
  return new Promise((resolve, reject) => {
    let only: Buffer | undefined
    let chunks: Buffer[] | undefined
    let size = 0
    let complete = false
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > most) {
        message.off('data', take)
        reject(requestEntityTooLarge(most))
      } else if (only === undefined) only = chunk
      else {
        chunks ??= [only]
        chunks.push(chunk)
      }
    }
    message.on('data', take)
    message.on('end', () => {
      complete = true
      parts.batch.add(size, () => resolve(chunks ? Buffer.concat(chunks) : (only ?? EMPTY)))
    })
    // A client that disconnects after its whole body arrived still gets its write.
    message.on('error', () => {
      if (!complete) reject(badRequest('the connection closed before the body was complete'))
    })
  })
}

const EMPTY = Buffer.alloc(0)

/** The media type without parameters, in lower case; JSON when none is given. */
export function contentType(request: ApiRequest): string {
  const header = request.headers['content-type']
  if (header === undefined || header === '') return JSON_TYPE
  if (header === JSON_TYPE) return JSON_TYPE
  const semicolon = header.indexOf(';')
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase()
}

const JSON_TYPE = 'application/json'
const YAML_TYPE = 'application/yaml'

/** `expected` is the type of a protobuf body that does not name one. Without it protobuf is refused. */
export async function readObjectBody(
  request: ApiRequest,
  expected?: TypeMeta,
  kind = expected?.kind,
  confidential = false,
): Promise<JsonRead> {
  const type = contentType(request)
  if (type === PROTOBUF_TYPE && expected) {
    const [{ decode }, bytes] = await Promise.all([loadProtobuf(), readBytes(request)])
    return { value: decode(bytes, expected), duplicates: [] }
  }
  if (type !== JSON_TYPE && type !== YAML_TYPE)
    throw unsupportedMediaType(expected ? [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] : [JSON_TYPE, YAML_TYPE])
  const text = (await readBytes(request)).toString()
  return type === YAML_TYPE
    ? readYamlText(text, request.parts.yaml, undefined, confidential)
    : readJsonText(text, kind, undefined, confidential)
}

/** Reads an object of the resource. Custom resources have no protobuf message. */
export function readResourceBody(request: ApiRequest, type: ResourceType): Promise<JsonRead> {
  const expected = type.custom ? undefined : { apiVersion: apiVersionOf(type), kind: type.kind }
  return readObjectBody(request, expected, type.kind, type.confidential)
}

/** `kind` is the expected kind, for errors. No error quotes a `confidential` text. */
export function readJsonText(text: string, kind?: string, limit = MAX_JSON_WEIGHT, confidential = false): JsonRead {
  try {
    return readSentJson(text, limit)
  } catch (error) {
    if (error instanceof JsonWeightError) throw holdsTooMuch(error.message)
    if (!(error instanceof JsonError)) throw error
    if (kind === undefined) throw badRequest(`the body is not valid JSON: ${error.message}`)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ` +
        `couldn't get version/kind; json parse error: ${error.message} (${confidential ? REDACTED : summary(text)})`,
    )
  }
}

/** The start of a body: as text if it looks like an object, else in hexadecimal. */
function summary(text: string): string {
  if (text === '') return '<empty>'
  const rest = text.length > SUMMARY ? ' ...' : ''
  const start = text.slice(0, SUMMARY)
  return (start.startsWith('{') ? start : Buffer.from(start).toString('hex')) + rest
}

const SUMMARY = 30

/** JSON is YAML too, and cheaper to read. */
export async function readYamlText(
  text: string,
  workers: YamlWorkers,
  limit = MAX_JSON_WEIGHT,
  confidential = false,
): Promise<JsonRead> {
  try {
    return readSentJson(text, limit)
  } catch (error) {
    // The JSON weight counts commas and colons, which mean nothing in block YAML; only flow YAML is refused by it.
    if (error instanceof JsonWeightError && /^\s*[{[]/.test(text)) throw holdsTooMuch(error.message)
    return readYaml(text, limit, workers, confidential)
  }
}
