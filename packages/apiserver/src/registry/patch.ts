// PATCH: JSON patch, merge patch and strategic merge patch. The patch is applied to the newest state under the key's lock, so that a patch
// without a resourceVersion never conflicts.

import { yieldToLoop } from '@homeostat/base'
import {
  badRequest,
  deepClone,
  invalid,
  invalidValue,
  isStatusError,
  type JsonRead,
  type JsonValue,
  type KubeObject,
  parseGroupVersion,
  unsupportedMediaType,
  writeJson,
} from '@homeostat/meta'
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, goText } from '@homeostat/meta/writing'
import type { Written } from './create.ts'
import { apiVersionOf, decodeObject, MAX_TOLD } from './decode-object.ts'
import { REDACTED, withoutSecrets } from './redact.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { builtinProblems } from './strict-problems.ts'
import { updateObject } from './update.ts'
import type { WriteRequest } from './write-request.ts'

export const JSON_PATCH = 'application/json-patch+json'
export const MERGE_PATCH = 'application/merge-patch+json'
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json'

export const APPLY_PATCH = 'application/apply-patch+yaml'

export interface ApplyPatch {
  (doc: JsonValue): JsonValue
  /** What an error shows when the patched document cannot be read; the document itself unless set. */
  readonly shown?: string
  /** What strict decoding finds in the patch itself, which is no object of the resource. */
  readonly problems?: readonly string[]
}

export function patchTypes(type: ResourceType): readonly string[] {
  const types = type.custom ? [JSON_PATCH, MERGE_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH]
  return [...types, APPLY_PATCH]
}

/** A function that applies the body to any document; refuses bodies that cannot be applied to anything. */
export function readPatch(contentType: string, read: JsonRead, type: ResourceType): ApplyPatch {
  switch (contentType) {
    case JSON_PATCH:
      return Object.assign((doc: JsonValue) => applyJsonPatch(doc, read.value), {
        problems: jsonPatchProblems(read),
      })
    case MERGE_PATCH:
      if (read.value === null || typeof read.value !== 'object' || Array.isArray(read.value))
        throw badRequest('a merge patch is an object, such as {"spec": {"replicas": 2}}')
      return (doc) => applyMergePatch(doc, read.value)
    case STRATEGIC_PATCH:
      if (!type.custom) return strategicPatch(read.value, type)
      throw unsupportedMediaType(patchTypes(type))
    default:
      throw unsupportedMediaType(patchTypes(type))
  }
}

export async function patchObject(
  registry: Registry,
  request: WriteRequest,
  apply: ApplyPatch,
  repeated: readonly string[],
): Promise<Written> {
  const duplicates = apply.problems === undefined ? repeated : []
  reportPatchProblems(request, apply.problems ?? [])
  return updateObject(
    registry,
    request,
    (old) => {
      const document = (request.type.custom ? old : ownCopy(old)) as unknown as JsonValue
      const patched = apply(document)
      // Nothing was changed, and nothing was said twice.
      if (patched === document && duplicates.length === 0) return old
      if (patched === null || typeof patched !== 'object' || Array.isArray(patched)) {
        throw invalid({ group: request.type.group, kind: request.type.kind }, request.name ?? '', [
          { reason: 'FieldValueInvalid', field: 'patch', message: 'Invalid value: the patched object is no object' },
        ])
      }
      const decode = () => {
        const next = decodePatched(patched, request, old, apply, duplicates)
        refuseRename(next, old)
        return next
      }
      return request.large ? yieldToLoop().then(decode) : decode()
    },
    { patched: true },
  )
}

const MEMBERS = new Set(['op', 'path', 'from', 'value'])

/** Members of operations that a JSON Patch does not have, and those that are there twice. */
function jsonPatchProblems({ value, duplicates }: JsonRead): string[] {
  const operations: readonly JsonValue[] = Array.isArray(value) ? value : []
  const unknown = operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((member) => !MEMBERS.has(member))
      .map((member) => `[${index}].${member}`),
  )
  return builtinProblems(unknown, duplicates, value).map((problem) => `json patch ${problem}`)
}

function reportPatchProblems(request: WriteRequest, problems: readonly string[]): void {
  if (problems.length === 0 || request.fieldValidation === 'Ignore') return
  const told = problems.slice(0, MAX_TOLD)
  if (request.fieldValidation === 'Warn') for (const problem of told) request.warn(problem)
  else throw invalid({ kind: '' }, '', [invalidValue('patch', '', `strict decoding error: ${told.join(', ')}`)])
}

/**
 * The rules of built-in kinds may change the new object in place, so it must not share with the old one; what patches
 * leave alone they share. Metadata is copied later, and known by its identity when the patch leaves it alone.
 */
function ownCopy(object: KubeObject): KubeObject {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(object)) copy[key] = key === 'metadata' ? object[key] : deepClone(object[key])
  return copy as KubeObject
}

function strategicPatch(patch: JsonValue, type: ResourceType): ApplyPatch {
  const apply = (doc: JsonValue): JsonValue => {
    if (doc === null || typeof doc !== 'object' || Array.isArray(doc)) return doc
    const patched = merged(doc, patch, type) as { [key: string]: JsonValue }
    // As the API server has it, such a patch can say nothing of the kind, nor lose it by $patch: replace.
    return { ...patched, apiVersion: doc.apiVersion ?? null, kind: doc.kind ?? null }
  }
  return Object.assign(apply, { shown: goText(patch) })
}

function merged(doc: JsonValue, patch: JsonValue, type: ResourceType): JsonValue {
  try {
    return applyStrategicMergePatch(doc, patch, type.mergeType)
  } catch (error) {
    throw withoutSecrets(type, error)
  }
}

/** A document that is no object of the resource any more is the patch's fault: 422 and not 400. */
function decodePatched(
  patched: { [key: string]: JsonValue },
  request: WriteRequest,
  old: KubeObject,
  apply: ApplyPatch,
  duplicates: readonly string[],
): KubeObject {
  const { type } = request
  const { apiVersion } = patched
  if (type.custom && typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== apiVersionOf(type)) {
    const cause = invalidValue('apiVersion', apiVersion, `must be ${apiVersionOf(type)}`)
    const group = parseGroupVersion(apiVersion)?.group ?? ''
    throw invalid({ group, kind: type.kind }, request.name ?? '', [cause])
  }
  try {
    return decodeObject({ value: { ...patched }, duplicates: [...duplicates] }, request, old)
  } catch (error) {
    if (!isStatusError(error, 'BadRequest')) throw error
    const detail = error.message
      .replace(/^.* cannot be handled as a [^ :]+: /, '')
      .replace(/^(\S+) must be an object, not an? (\w+)$/, '$1: cannot restore map from $2')
    const shown = type.confidential ? REDACTED : (apply.shown ?? writeJson(patched))
    throw invalid({ kind: '' }, '', [invalidValue('patch', shown, detail)])
  }
}

function refuseRename(next: KubeObject, old: KubeObject): void {
  const { name, namespace } = next.metadata
  const known = old.metadata.name
  if (!name)
    throw badRequest(`the name of the object (${known} based on URL) was undeterminable: name must be provided`)
  if (name !== known) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${known})`)
  // One that the patch took away comes from the URL.
  if (namespace && namespace !== old.metadata.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
