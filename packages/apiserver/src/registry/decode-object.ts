// From a parsed body to an object of the resource: right group, version and kind, typed metadata, nothing the schema
// does not know. What is unknown or doubled is refused, warned of, or dropped, as fieldValidation says.

import {
  badRequest,
  type Cause,
  type DecodedObjectMeta,
  decodeObjectMeta,
  invalid,
  invalidValue,
  isStatusError,
  type JsonRead,
  type JsonValue,
  type KubeObject,
  parseGroupVersion,
} from '@homeostat/meta'
import type { ResourceType } from './resource-type.ts'
import type { WriteRequest } from './write-request.ts'

export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** `known` is an object that has been decoded before: what a patch left of it alone need not be decoded again. */
export function decodeObject(read: JsonRead, request: WriteRequest, known?: KubeObject): KubeObject {
  const body = asObject(read.value)
  const object = identify(body, request)
  const { meta, unknown } =
    known && body.metadata === known.metadata
      ? { meta: known.metadata, unknown: [] }
      : decodeMeta(body.metadata ?? {}, request.type)
  object.metadata = meta
  const { strategy } = request.type
  if (!request.type.custom) refuseUndecodable(strategy.decodeErrors(object), request.type)
  const dropped = [...unknown, ...strategy.prune(object, asShown(request.type, known))]
  reportStrict(dropped, read, request)
  return object
}

/**
 * The object, if it is pruned and has its defaults: so are objects of the version that is stored, as they are read. Rules
 * of built-in kinds may want to see everything.
 */
export function asShown(type: ResourceType, object: KubeObject | undefined): KubeObject | undefined {
  return type.custom && type.version === type.storageVersion ? object : undefined
}

/** A client that sends more nonsense than this hears of the first. */
const MAX_TOLD = 100

export type Repeated = Pick<JsonRead, 'duplicates' | 'repeatedLines'>

export function reportStrict(unknown: readonly string[], repeated: Repeated, request: WriteRequest): void {
  const { duplicates, repeatedLines: lines = [] } = repeated
  if (request.fieldValidation === 'Ignore' || unknown.length + duplicates.length + lines.length === 0) return
  const problems = [
    ...unknown.slice(0, MAX_TOLD).map((path) => `unknown field "${path}"`),
    ...duplicates.slice(0, MAX_TOLD).map((path) => `duplicate field "${path}"`),
  ]
  if (request.fieldValidation === 'Strict') {
    if (lines.length > 0) problems.unshift(`yaml: unmarshal errors:\n  ${lines.join('\n  ')}`)
    throw badRequest(`${unhandled(request.type)}: strict decoding error: ${problems.join(', ')}`)
  }
  for (const problem of [...lines, ...problems]) request.warn(problem)
}

const NOTHING_TWICE: Repeated = { duplicates: [] }

function asObject(value: JsonValue): { [key: string]: JsonValue } {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value
  throw badRequest(
    `couldn't get version/kind: the body must be a JSON object with apiVersion and kind, got ${describe(value)}`,
  )
}

function identify(body: { [key: string]: JsonValue }, request: WriteRequest): KubeObject {
  const { type } = request
  if (!type.custom) fillIdentity(body, type)
  const { apiVersion, kind } = body
  if (typeof kind !== 'string' || kind === '')
    throw badRequest(`Object 'Kind' is missing: the body of a ${type.kind} needs kind: ${type.kind}`)
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw badRequest(`Object 'apiVersion' is missing: the body needs apiVersion: ${apiVersionOf(type)}`)
  if (apiVersion !== apiVersionOf(type)) {
    if (type.custom) reportStrict(fieldsBesideIdentity(body), NOTHING_TWICE, { ...request, fieldValidation: 'Warn' })
    const given = parseGroupVersion(apiVersion)
    const what = given && given.group === type.group ? 'API version' : 'API group and version'
    throw badRequest(
      `the ${what} in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(type)})`,
    )
  }
  if (kind !== type.kind) {
    const cause = invalidValue('kind', kind, `must be ${type.kind}`)
    if (!type.custom) throw badRequest(`${kind} in version "${type.version}" cannot be handled as a ${type.kind}`)
    throw invalid({ group: type.group, kind }, metadataName(body), [cause])
  }
  return body as unknown as KubeObject
}

/** Some clients leave out what the URL says anyway, and built-in kinds let them. */
function fillIdentity(body: { [key: string]: JsonValue }, type: ResourceType): void {
  body.apiVersion ||= apiVersionOf(type)
  body.kind ||= type.kind
}

/** A custom resource of a version nobody defined has no fields: that is how the real server sees it, and warns. */
function fieldsBesideIdentity(body: object): string[] {
  return Object.keys(body)
    .filter((key) => key !== 'apiVersion' && key !== 'kind' && key !== 'metadata')
    .sort()
}

function metadataName(body: { [key: string]: JsonValue }): string {
  const { metadata } = body
  const name =
    metadata !== null && typeof metadata === 'object' && !Array.isArray(metadata) ? metadata?.name : undefined
  return typeof name === 'string' ? name : ''
}

function decodeMeta(metadata: JsonValue, type: ResourceType): DecodedObjectMeta {
  try {
    return decodeObjectMeta(metadata)
  } catch (error) {
    if (!isStatusError(error, 'BadRequest')) throw error
    throw badRequest(`${unhandled(type)}: ${error.message}`)
  }
}

function refuseUndecodable(causes: readonly Cause[], type: ResourceType): void {
  const [first] = causes
  if (!first) return
  throw badRequest(`${unhandled(type)}: ${first.field}: ${first.message}`)
}

function unhandled({ kind, version }: ResourceType): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}`
}

function describe(value: JsonValue): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
