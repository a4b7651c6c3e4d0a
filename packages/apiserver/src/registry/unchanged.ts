// Whether a write changes anything. The time of a managed field alone does not count: an apply may differ from what is
// stored until defaults are filled in and empty values dropped, and only then turns out to be the same.

import { deepEqual, type KubeObject } from '@homeostat/meta'

export function changesNothing(next: KubeObject, old: KubeObject): boolean {
  const { metadata, ...rest } = next
  const { metadata: oldMetadata, ...oldRest } = old
  const { managedFields, ...meta } = metadata
  const { managedFields: oldFields, ...oldMeta } = oldMetadata
  return (
    deepEqual(rest, oldRest) &&
    deepEqual(meta, oldMeta) &&
    (managedFields === oldFields || deepEqual(withoutTimes(managedFields), withoutTimes(oldFields)))
  )
}

function withoutTimes(list: KubeObject['metadata']['managedFields'] = []): object[] {
  return list.map((entry) => ({ ...(entry as object), time: undefined }))
}
