// The short way for controllers inside the server that move the status of small objects of a custom resource, and nothing
// else: what is beside the status stays the very same, so none of it is looked at again. Everything else goes the whole way.

import { deepEqual, invalid, isStatusError, type KubeObject } from '@homeostat/meta'
import { updatedFields } from '@homeostat/meta/writing'
import type { CachedObject } from '../cache/cached-object.ts'
import { decodeCopy } from './decode-object.ts'
import { fieldWrite, versionedTypes } from './field-tracking.ts'
import { LARGE } from './large.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { setManagedFields, updateObject } from './update.ts'
import { boundedValue, isStoredForm } from './versions.ts'
import { cacheName, storeKey, type WriteRequest } from './write-request.ts'

/**
 * Makes the next status without changing the object; what it makes is pruned and completed in place. The status of the object
 * itself stands for nothing to do.
 */
export type NextStatus = (object: KubeObject) => unknown

/** The object as it is then; undefined when there is none. */
export async function writeStatus(
  registry: Registry,
  request: WriteRequest,
  next: NextStatus,
): Promise<CachedObject | undefined> {
  const { type, namespace, name = '' } = request
  const place = cacheName(type, namespace, name)
  const resource = registry.resource(type)
  const key = storeKey(type, namespace, name)
  const others = registry.locks.take(key)
  if (others !== undefined) await others
  try {
    for (;;) {
      const current = resource.get(place)
      if (current === undefined) return undefined
      if (!isSimple(type, current)) break
      const old = resource.read(current)
      const object = withStatus(registry, request, old, next(old))
      if (object === old) return current
      const value = boundedValue(registry, type, object, { applied: false })
      if ((await registry.commit(request, key, current, value, object)) !== undefined) return resource.get(place)
    }
  } finally {
    registry.locks.release(key)
  }
  return wholeWay(registry, request, next)
}

/** A step of a large object would hold up others, and one that its definition shows otherwise is to be stored anew. */
function isSimple(type: ResourceType, current: CachedObject): boolean {
  return type.custom && isStoredForm(type) && current.size <= LARGE && !current.outdated
}

/** The old object itself when its status stays. */
function withStatus(registry: Registry, request: WriteRequest, old: KubeObject, status: unknown): KubeObject {
  const { type } = request
  if (status === old.status) return old
  const object: KubeObject = { ...old, status }
  // Everything beside the status is the old object's own and not looked into.
  type.strategy.prune(object, old)
  type.strategy.applyDefaults(object, old)
  if (deepEqual(object.status, old.status)) return old
  const fields = updatedFields(old, object, fieldWrite(registry, request), versionedTypes(registry, type))
  setManagedFields(object, fields)
  const causes = type.strategy.validateStatusUpdate?.(object, old) ?? []
  if (causes.length > 0) throw invalid({ group: type.group, kind: type.kind }, request.name ?? '', causes)
  return object
}

async function wholeWay(registry: Registry, request: WriteRequest, next: NextStatus) {
  const change = (old: KubeObject) => {
    const status = next(old)
    return status === old.status ? old : decodeCopy({ ...old, status }, request)
  }
  try {
    const written = await updateObject(registry, request, change)
    return 'stored' in written ? written.stored : undefined
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined
    throw error
  }
}
