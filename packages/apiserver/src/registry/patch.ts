// Reads the body of a PATCH (JSON patch, merge patch or strategic merge patch) into a function that patches a document.

import { applyMergePatch, badRequest, type JsonValue } from '@homeostat/meta'
import { applyJsonPatch, applyStrategicMergePatch, goText } from '@homeostat/meta/merge'
import { type JsonRead, unsupportedMediaType } from '@homeostat/meta/server'
import { withoutSecrets } from './redact.ts'
import type { ResourceType, WrittenBy } from './resource-type.ts'
import { builtinProblems } from './strict-problems.ts'

export const JSON_PATCH = 'application/json-patch+json'
export const MERGE_PATCH = 'application/merge-patch+json'
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json'

export const APPLY_PATCH = 'application/apply-patch+yaml'

export interface ApplyPatch {
  (doc: JsonValue): JsonValue
  /** The text that an error shows when the patched document cannot be decoded. Default: the document. */
  readonly shown?: string
  /** Problems that strict decoding finds in the patch itself. */
  readonly problems?: readonly string[]
}

export function patchTypes(type: WrittenBy): readonly string[] {
  const types = type.custom ? [JSON_PATCH, MERGE_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH]
  return [...types, APPLY_PATCH]
}

/** Returns a function that applies the body to a document. Refuses bodies that no document can take. */
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

/** Unknown and duplicate members of the operations of a JSON Patch. */
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
    // As in Kubernetes, a strategic patch can neither change apiVersion and kind nor remove them by $patch: replace.
    return { ...patched, apiVersion: doc.apiVersion ?? null, kind: doc.kind ?? null }
  }
  return Object.assign(apply, { shown: goText(patch) })
}

function merged(doc: JsonValue, patch: JsonValue, type: WrittenBy): JsonValue {
  try {
    return applyStrategicMergePatch(doc, patch, type.mergeType)
  } catch (error) {
    throw withoutSecrets(type, error)
  }
}
