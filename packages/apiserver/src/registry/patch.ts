// PATCH: JSON patch and merge patch. The patch is applied to the newest state under the key's lock, so that a patch
// without a resourceVersion never conflicts.

import {
  applyJsonPatch,
  applyMergePatch,
  badRequest,
  invalid,
  type JsonRead,
  type JsonValue,
  type KubeObject,
  unsupportedMediaType,
} from '@homeostat/meta'
import type { Written } from './create.ts'
import { decodeObject } from './decode-object.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { updateObject } from './update.ts'
import type { WriteRequest } from './write-request.ts'

export const JSON_PATCH = 'application/json-patch+json'
export const MERGE_PATCH = 'application/merge-patch+json'

export type ApplyPatch = (doc: JsonValue) => JsonValue

export function patchTypes(_type: ResourceType): readonly string[] {
  return [JSON_PATCH, MERGE_PATCH]
}

/** A function that applies the body to any document; refuses bodies that cannot be applied to anything. */
export function readPatch(contentType: string, read: JsonRead, type: ResourceType): ApplyPatch {
  switch (contentType) {
    case JSON_PATCH:
      return (doc) => applyJsonPatch(doc, read.value)
    case MERGE_PATCH:
      if (read.value === null || typeof read.value !== 'object' || Array.isArray(read.value))
        throw badRequest('a merge patch is an object, such as {"spec": {"replicas": 2}}')
      return (doc) => applyMergePatch(doc, read.value)
    default:
      throw unsupportedMediaType(patchTypes(type))
  }
}

export async function patchObject(
  registry: Registry,
  request: WriteRequest,
  apply: ApplyPatch,
  duplicates: readonly string[],
): Promise<Written> {
  return updateObject(registry, request, (old) => {
    const patched = apply(old as unknown as JsonValue)
    if (patched === null || typeof patched !== 'object' || Array.isArray(patched)) {
      throw invalid({ group: request.type.group, kind: request.type.kind }, request.name ?? '', [
        { reason: 'FieldValueInvalid', field: 'patch', message: 'Invalid value: the patched object is no object' },
      ])
    }
    // Patches copy what they change; the rest is shared with the old object, which is as its schema wants it already.
    const next = decodeObject({ value: { ...patched }, duplicates: [...duplicates] }, request, old.metadata)
    refuseRename(next, old)
    return next
  })
}

function refuseRename(next: KubeObject, old: KubeObject): void {
  if (next.metadata.name !== old.metadata.name)
    throw badRequest(
      `the name of the object (${next.metadata.name}) does not match the name on the URL (${old.metadata.name})`,
    )
  if (next.metadata.namespace !== old.metadata.namespace)
    throw badRequest('the namespace of an object cannot be changed by a patch')
}
