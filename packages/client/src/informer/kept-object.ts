// What is kept of an object that arrived. Objects are built anew without their managed fields, which are often half of
// them: removing a property would leave an object that takes more memory and is slower to read.

import type { ApiObject } from '../api/kinds.ts'

export type Keep = (object: ApiObject) => ApiObject

export function withoutManagedFields<T extends ApiObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Apiversion, kind and metadata alone. */
export function metadataAlone(object: ApiObject): ApiObject {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata }
}

/** Items of built-in lists have no kind of their own, and metadata-only answers have another one. */
export function withKind(object: ApiObject, apiVersion: string, kind: string): ApiObject {
  if (object.apiVersion === apiVersion && object.kind === kind) return object
  const { apiVersion: _, kind: __, ...rest } = object
  return { apiVersion, kind, ...rest }
}

/** A keep function that never throws and never loses what an object is found by. */
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
