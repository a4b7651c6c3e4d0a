// The inventory in a status lists the objects that an instance owned through its handles, so that an object whose
// handle is no longer in the code is found and pruned. Pure.

import { kindKey, objectKey } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/reconcile-context.ts'

/** The field of the status. */
export const INVENTORY = 'inventory'

export function readInventory(status: unknown): ObjectRef[] {
  const entries = (status as { readonly [INVENTORY]?: unknown } | undefined)?.[INVENTORY]
  return Array.isArray(entries) ? entries.filter(isRef) : []
}

/** The inventory entries of these objects, sorted, so that their order does not cause a write. */
export function writeInventory(refs: readonly ObjectRef[]): ObjectRef[] {
  const byKey = new Map(refs.map((ref) => [refKey(ref), ref]))
  return [...byKey.keys()].sort().flatMap((key) => {
    const ref = byKey.get(key)
    if (!ref) return []
    const { apiVersion, kind, name, namespace } = ref
    return [namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, name, namespace }]
  })
}

/** Leaves out the version: an object is the same in all versions of its kind. */
export function refKey(ref: ObjectRef): string {
  return objectKey(kindKey(ref), ref)
}

/** The recorded objects that are no longer wanted. */
export function unwanted(owned: readonly ObjectRef[], wanted: readonly ObjectRef[]): ObjectRef[] {
  const keys = new Set(wanted.map(refKey))
  return owned.filter((ref) => !keys.has(refKey(ref)))
}

function isRef(entry: unknown): entry is ObjectRef {
  if (typeof entry !== 'object' || entry === null) return false
  const { apiVersion, kind, name } = entry as Record<string, unknown>
  return [apiVersion, kind, name].every((field) => typeof field === 'string')
}
