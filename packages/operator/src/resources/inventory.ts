// Which objects an instance owned by its handles, as its status says, so that one whose handle is no longer in the code
// can be found and removed. Pure.

import { kindKey, objectKey } from '../runtime/object-key.ts'
import type { ObjectRef } from '../runtime/run.ts'

/** The field of the status. */
export const INVENTORY = 'inventory'

export function readInventory(status: unknown): ObjectRef[] {
  const entries = (status as { readonly [INVENTORY]?: unknown } | undefined)?.[INVENTORY]
  return Array.isArray(entries) ? entries.filter(isRef) : []
}

/** The entries of the status for these objects, in an order that does not depend on theirs. */
export function writeInventory(refs: readonly ObjectRef[]): ObjectRef[] {
  const byKey = new Map(refs.map((ref) => [refKey(ref), ref]))
  return [...byKey.keys()].sort().flatMap((key) => {
    const ref = byKey.get(key)
    if (!ref) return []
    const { apiVersion, kind, name, namespace } = ref
    return [namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, name, namespace }]
  })
}

/** Whatever the version: an object is the same in all of them. */
export function refKey(ref: ObjectRef): string {
  return objectKey(kindKey(ref), ref)
}

/** What was owned and is not wanted any more. */
export function unwanted(owned: readonly ObjectRef[], wanted: readonly ObjectRef[]): ObjectRef[] {
  const keys = new Set(wanted.map(refKey))
  return owned.filter((ref) => !keys.has(refKey(ref)))
}

function isRef(entry: unknown): entry is ObjectRef {
  if (typeof entry !== 'object' || entry === null) return false
  const { apiVersion, kind, name } = entry as Record<string, unknown>
  return [apiVersion, kind, name].every((field) => typeof field === 'string')
}
