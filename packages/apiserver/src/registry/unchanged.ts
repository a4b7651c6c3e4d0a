// Whether a write changes anything. A managed field's time alone does not count: an apply may differ from the stored object
// only until defaults are filled in and empty values are dropped.

import { deepEqual, type KubeObject, type ObjectMeta } from '@homeostat/meta'

export function changesNothing(next: KubeObject, old: KubeObject): boolean {
  return (
    equalBut('metadata', next, old) &&
    equalBut('managedFields', next.metadata, old.metadata) &&
    equalFields(next.metadata.managedFields, old.metadata.managedFields)
  )
}

/** Compares every field but one, without copies: most writes come here. */
function equalBut(left: string, a: KubeObject | ObjectMeta, b: KubeObject | ObjectMeta): boolean {
  const one = a as Record<string, unknown>
  const other = b as Record<string, unknown>
  for (const key in one) if (key !== left && !deepEqual(one[key], other[key])) return false
  for (const key in other) if (key !== left && one[key] === undefined && other[key] !== undefined) return false
  return true
}

function equalFields(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  return a === b || deepEqual(withoutTimes(a), withoutTimes(b))
}

function withoutTimes(list: readonly unknown[] = []): object[] {
  return list.map((entry) => ({ ...(entry as object), time: undefined }))
}
