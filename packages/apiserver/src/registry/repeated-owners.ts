// Removes duplicate owner references, equal in every field, with a warning.

import { deepEqual, type ObjectMeta, type OwnerReference } from '@homeostat/meta'
import type { WriteRequest } from './write-request.ts'

export function withoutRepeatedOwners(meta: ObjectMeta, request: Pick<WriteRequest, 'warn'>): ObjectMeta {
  const owners = meta.ownerReferences
  if (owners === undefined || owners.length < 2) return meta
  const kept: OwnerReference[] = []
  const byUid = new Map<string, OwnerReference[]>()
  const repeated = new Set<string>()
  for (const owner of owners) {
    const same = byUid.get(owner.uid) ?? []
    if (same.some((one) => deepEqual(one, owner))) {
      repeated.add(owner.uid)
      continue
    }
    kept.push(owner)
    byUid.set(owner.uid, [...same, owner])
  }
  if (repeated.size === 0) return meta
  request.warn(`${REPEATED}; duplicate UID(s) observed: ${[...repeated].join(', ')}`)
  return { ...meta, ownerReferences: kept }
}

/** The text of Kubernetes; clients compare it. */
const REPEATED =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
  'and may reject such requests as early as 1.24; please fix your requests'
