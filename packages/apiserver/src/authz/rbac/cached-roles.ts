// The source of the role index in a server: the watch cache.

import { readStored } from '@homeostat/meta/server'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { WatchCache } from '../../cache/watch-cache.ts'
import { RBAC_GROUP } from './policy-rule.ts'
import type { RoleSource } from './role-index.ts'

export function cachedRoles(cache: WatchCache): RoleSource {
  return (resource, set) => {
    const stored = cache.resource(`${RBAC_GROUP}/${resource}`)
    for (const object of stored.tree.objects()) set(object.name, read(object))
    stored.subscribe((changes) => {
      for (const { object, previous } of changes) {
        const { name } = object ?? previous ?? {}
        if (name !== undefined) set(name, object && read(object))
      }
    })
  }
}

/** A damaged record grants nothing. */
function read(object: CachedObject) {
  return object.damage === undefined ? readStored(object.bytes, object.metaEnd) : undefined
}
