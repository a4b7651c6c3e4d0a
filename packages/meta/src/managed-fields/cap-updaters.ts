// Keeps at most ten updaters: the oldest of each version are merged into `ancient-changes`.

import { type FieldSet, union } from './field-set.ts'
import { compareAges, isSameOwner, newOwner, type Owner } from './managed-entry.ts'

const MOST_UPDATERS = 10
const ANCIENT = 'ancient-changes'

/** The list itself when there are not too many. */
export function capUpdaters(owners: readonly Owner[]): readonly Owner[] {
  const updaters = owners.filter((owner) => owner.operation === 'Update')
  if (updaters.length <= MOST_UPDATERS) return owners
  updaters.sort(compareAges)
  const left = new Set(owners)
  const buckets = new Map<string, Owner>()
  let count = updaters.length
  for (const owner of updaters) {
    if (count <= MOST_UPDATERS) break
    const { apiVersion } = owner
    const first = buckets.get(apiVersion)
    if (first === undefined) {
      buckets.set(apiVersion, owner)
      continue
    }
    const identity = { manager: ANCIENT, operation: 'Update', apiVersion } as const
    // An older merge may be there: it is the bucket, whichever came first.
    const known = [...left].find((other) => isSameOwner(other, identity))
    const base: Owner = known ?? first
    if (base === owner) continue
    const fields: FieldSet = union(owner.fieldsV1, base.fieldsV1)
    left.delete(base)
    left.delete(owner)
    const merged = newOwner(identity, fields, owner.time)
    left.add(merged)
    buckets.set(apiVersion, merged)
    count--
  }
  return [...left]
}
