// Where expressions of policies and webhooks get what is beside the write: rights, and the namespace.

import type { Authorize } from '@homeostat/cel/without-compiler'
import type { KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../../cache/cached-object.ts'
import type { User } from '../../identity/user.ts'
import type { CachedObjects } from '../cached-objects.ts'
import type { BindingSources } from './policy-bindings.ts'

export function bindingSources(cached: CachedObjects, authorizeAs: (user: User) => Authorize): BindingSources {
  const namespaces = new WeakMap<CachedObject, KubeObject>()
  return {
    authorizeAs,
    /** Read once while the namespace stays as it is. */
    namespace(name) {
      const stored = cached.resource('core/namespaces').tree.get(name)
      const known = stored && namespaces.get(stored)
      if (known !== undefined) return known
      const read = cached.parse(stored)
      if (stored !== undefined && read !== undefined) namespaces.set(stored, read)
      return read
    },
  }
}
