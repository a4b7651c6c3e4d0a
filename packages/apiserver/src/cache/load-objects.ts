// Loads every object of the store, at one revision, when the server starts. Objects stay in the buffers that they were
// read into.

import type { StoreReads } from '@homeostat/store'
import { CachedObject } from './cached-object.ts'
import { splitKey } from './object-key.ts'

export interface Loaded {
  readonly revision: number
  /** Objects in key order by `group/resource`. */
  readonly resources: ReadonlyMap<string, readonly CachedObject[]>
}

export async function loadObjects(store: StoreReads): Promise<Loaded> {
  const resources = new Map<string, CachedObject[]>()
  const revision = await store.readAll((entries) => {
    for (const entry of entries) {
      const [storage, name] = splitKey(entry.key)
      const object = CachedObject.fromWhole(entry, name)
      const objects = resources.get(storage)
      if (objects) objects.push(object)
      else resources.set(storage, [object])
    }
  })
  return { revision, resources }
}
