// Reads the body of a PATCH: a JSON patch, a merge patch or a strategic merge patch, as a function of a document.

import { badRequest, type JsonRead, type JsonValue, unsupportedMediaType } from '@homeostat/meta'
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, goText } from '@homeostat/meta/writing'
import { withoutSecrets } from './redact.ts'
import type { ResourceType } from './resource-type.ts'
import { builtinProblems } from './strict-problems.ts'

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
