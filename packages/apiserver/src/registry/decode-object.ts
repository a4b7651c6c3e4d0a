// Decodes a parsed body into an object of the resource: checks group, version and kind, types the metadata and prunes.
// Unknown and duplicate fields are refused, warned of or dropped as fieldValidation asks.

import {
  badRequest,
  deepClone,
  invalid,
  isStatusError,
  type JsonValue,
  type KubeObject,
  parseGroupVersion,
} from '@homeostat/meta'
import {
  type Cause,
  type DecodedObjectMeta,
  decodeObjectMeta,
  invalidValue,
  type JsonRead,
} from '@homeostat/meta/server'
import { withoutRepeatedOwners } from './repeated-owners.ts'
import type { ResourceNames, ResourceType, WrittenBy } from './resource-type.ts'
import { builtinProblems, customProblems } from './strict-problems.ts'
import type { WriteRequest } from './write-request.ts'

export function apiVersionOf(type: ResourceNames): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** The object as an item of a list. Items of built-in kinds omit apiVersion and kind. */
export function listItem(object: KubeObject, type: ResourceNames & WrittenBy): object {
  if (type.custom) return object
  const { apiVersion: _, kind: __, ...item } = object
  return item
}

/** An object between decoding and pruning, and the problems found so far. */
export interface Decoded {
  readonly object: KubeObject
  readonly read: JsonRead
  /** Unknown fields of metadata. */
  readonly unknown: readonly string[]
  /** The body before pruning changes it in place; its order is that in which duplicates are reported. */
  readonly sent: JsonValue
}

/** `known` is a decoded object: parts that the body shares with it, such as after a patch, are not decoded again. */
export function decodeObject(read: JsonRead, request: WriteRequest, known?: KubeObject): KubeObject {
  return pruneDecoded(decodeBody(read, request, known), request, known)
}

export function decodeBody(read: JsonRead, request: WriteRequest, known?: KubeObject): Decoded {
  const body = asObject(read.value)
  const { type } = request
  const sent = type.custom || read.duplicates.length === 0 ? read.value : deepClone(read.value)
  const object = identify(body, request)
  const { meta, unknown } =
    known && body.metadata === known.metadata
      ? { meta: known.metadata, unknown: [] }
      : decodeMeta(body.metadata ?? {}, type)
  object.metadata = withoutRepeatedOwners(meta, request)
  if (!type.custom) refuseUndecodable(type.strategy.decodeErrors(object), type)
  return { object, read, unknown, sent }
}

export function pruneDecoded(decoded: Decoded, request: WriteRequest, known?: KubeObject): KubeObject {
  const { object, read, unknown, sent } = decoded
  const { type } = request
  const dropped = [...unknown, ...type.strategy.prune(object, asShown(type, known))]
  const found = dropped.length + read.duplicates.length === 0 ? NONE : type.custom ? customProblems : builtinProblems
  reportStrict(found(dropped, read.duplicates, sent), request, read.repeatedLines)
  return object
}

/** A copy of the object as the reader of a body would return it. */
export function bodyOf(object: KubeObject): JsonRead {
  return { value: deepClone(object) as unknown as JsonValue, duplicates: [] }
}

/**
 * The object, if it is known to be pruned and defaulted, as objects read in their stored version are. Undefined for
 * built-in kinds, whose rules may need to see every part.
 */
export function asShown(type: ResourceType, object: KubeObject | undefined): KubeObject | undefined {
  return type.custom && type.version === type.storageVersion ? object : undefined
}

/** Only the first problems of a body are reported, at most so many. */
export const MAX_REPORTED = 100

const NONE = (): string[] => []

/** `lines` are the messages about duplicate keys in a YAML body. */
export function reportStrict(problems: readonly string[], request: WriteRequest, lines: readonly string[] = []): void {
  if (request.fieldValidation === 'Ignore' || problems.length + lines.length === 0) return
  const reported = problems.slice(0, MAX_REPORTED)
  if (request.fieldValidation === 'Strict') {
    if (lines.length > 0) reported.unshift(`yaml: unmarshal errors:\n  ${lines.join('\n  ')}`)
    throw badRequest(`${unhandled(request.type)}: strict decoding error: ${reported.join(', ')}`)
  }
  for (const problem of [...lines, ...reported]) request.warn(problem)
}

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
    if (type.custom)
      reportStrict(customProblems(fieldsBesideIdentity(body), []), { ...request, fieldValidation: 'Warn' })
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

/** Built-in kinds accept a body without apiVersion and kind, since the URL names them. */
function fillIdentity(body: { [key: string]: JsonValue }, type: ResourceType): void {
  // Some clients write the empty name of the core group with a slash.
  if (type.group === '' && body.apiVersion === `/${type.version}`) body.apiVersion = type.version
  body.apiVersion ||= apiVersionOf(type)
  body.kind ||= type.kind
}

/** As in Kubernetes, every field of a custom resource in an undefined version counts as unknown. */
function fieldsBesideIdentity(body: object): string[] {
  return Object.keys(body).filter((key) => key !== 'apiVersion' && key !== 'kind' && key !== 'metadata')
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
