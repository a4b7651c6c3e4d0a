// What the cache stores of a received object. The object is copied without its managed fields, which are often half of
// it: `delete` would leave a slow dictionary-mode object that takes more memory.

import type { ApiObject } from '../api/kinds.ts'

export type Keep = (object: ApiObject) => ApiObject

export function withoutManagedFields<T extends ApiObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Copies only apiVersion, kind and metadata. */
export function metadataAlone(object: ApiObject): ApiObject {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata }
}

/** Items of built-in lists carry no kind, and metadata-only responses carry PartialObjectMetadata. */
export function withKind(object: ApiObject, apiVersion: string, kind: string): ApiObject {
  if (object.apiVersion === apiVersion && object.kind === kind) return object
  const { apiVersion: _, kind: __, ...rest } = object
  return { apiVersion, kind, ...rest }
}

/** Wraps a keep function: it never throws and never loses the name, namespace, uid or revision. */
export function safeKeep(keep: Keep, onError: (error: Error) => void): Keep {
  return (object) => {
    try {
      const kept = keep(object)
      if (hasSameIdentity(kept, object)) return kept
      onError(new Error(`keep() must leave name, namespace, uid and resourceVersion; it did not for ${label(object)}.`))
    } catch (error) {
      onError(new Error(`keep() threw for ${label(object)}; it is kept without managed fields.`, { cause: error }))
    }
    return withoutManagedFields(object)
  }
}

function hasSameIdentity(kept: ApiObject, object: ApiObject): boolean {
  const a = kept.metadata
  const b = object.metadata
  return a.name === b.name && a.namespace === b.namespace && a.uid === b.uid && a.resourceVersion === b.resourceVersion
}

function label({ kind, metadata: { namespace, name } }: ApiObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}
