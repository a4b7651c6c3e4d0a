// PATCH with a JSON, merge or strategic merge patch. It applies to the newest state, so a patch without a resourceVersion
// never conflicts.

import {
  badRequest,
  deepClone,
  invalid,
  isStatusError,
  type JsonValue,
  type KubeObject,
  parseGroupVersion,
  writeJson,
} from '@homeostat/meta'
import { invalidValue, type JsonRead } from '@homeostat/meta/server'
import { apiVersionOf, decodeObject, MAX_REPORTED } from '../../registry/decode-object.ts'
import type { ApplyPatch } from '../../registry/patch.ts'
import { REDACTED } from '../../registry/redact.ts'
import type { Step } from '../write.ts'
import { isJudged } from './end-unchanged.ts'

export interface Patch {
  readonly apply: ApplyPatch
  /** Duplicate fields in the patch. */
  readonly duplicates: readonly string[]
}

/** Reports the problems that strict decoding finds in the patch document itself. */
export const reportPatchProblems: Step<Patch> = ({ request, input }) => {
  const problems = input.apply.problems ?? []
  if (problems.length === 0 || request.fieldValidation === 'Ignore') return
  const reported = problems.slice(0, MAX_REPORTED)
  if (request.fieldValidation === 'Warn') for (const problem of reported) request.warn(problem)
  else throw invalid({ kind: '' }, '', [invalidValue('patch', '', `strict decoding error: ${reported.join(', ')}`)])
}

export const applyPatch: Step<Patch> = (write) => {
  const { type, request, input } = write
  const old = write.old as KubeObject
  const duplicates = input.apply.problems === undefined ? input.duplicates : []
  const document = (type.custom ? old : ownCopy(old)) as unknown as JsonValue
  const value = input.apply(document)
  // The patch changes nothing, and there are no duplicates to report.
  if (value === document && duplicates.length === 0 && !isJudged(write)) write.object = old
  else if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalid({ group: type.group, kind: type.kind }, request.name ?? '', [
      { reason: 'FieldValueInvalid', field: 'patch', message: 'Invalid value: the patched object is no object' },
    ])
  } else write.body = { value, duplicates: [...duplicates] }
}

/**
 * The rules of built-in kinds may change the new object in place, but a patched document shares its unchanged parts with
 * the old object. Metadata is copied in a later step, which recognizes unchanged metadata by its identity.
 */
function ownCopy(object: KubeObject): KubeObject {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(object)) copy[key] = key === 'metadata' ? object[key] : deepClone(object[key])
  return copy as KubeObject
}

/** A patched document that no longer decodes is the fault of the patch: 422, not 400. */
export const decodePatched: Step<Patch> = (write) => {
  const { type, request, input } = write
  const { value, duplicates } = write.body as JsonRead
  const patched = value as { [key: string]: JsonValue }
  const { apiVersion } = patched
  if (type.custom && typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== apiVersionOf(type)) {
    const cause = invalidValue('apiVersion', apiVersion, `must be ${apiVersionOf(type)}`)
    const group = parseGroupVersion(apiVersion)?.group ?? ''
    throw invalid({ group, kind: type.kind }, request.name ?? '', [cause])
  }
  try {
    write.object = decodeObject({ value: { ...patched }, duplicates }, request, write.old)
  } catch (error) {
    if (!isStatusError(error, 'BadRequest')) throw error
    const detail = error.message
      .replace(/^.* cannot be handled as a [^ :]+: /, '')
      .replace(/^(\S+) must be an object, not an? (\w+)$/, '$1: cannot restore map from $2')
    const shown = type.confidential ? REDACTED : (input.apply.shown ?? writeJson(patched))
    throw invalid({ kind: '' }, '', [invalidValue('patch', shown, detail)])
  }
}

/** A patch cannot change the name or namespace. */
export const refuseRename: Step = ({ object, old }) => {
  const { name, namespace } = object.metadata
  const known = (old as KubeObject).metadata
  if (!name)
    throw badRequest(`the name of the object (${known.name} based on URL) was undeterminable: name must be provided`)
  if (name !== known.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${known.name})`)
  // A namespace that the patch removed is taken from the URL.
  if (namespace && namespace !== known.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
