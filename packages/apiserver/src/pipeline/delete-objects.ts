// DELETE of an object or of a collection. HTTP and the Api call it; the list `remove` does the work, except on a damaged
// record.

import { internalError, type KubeObject } from '@homeostat/meta'
import { invalidOptions, invalidValue, notSupported } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged } from '../cache/join-leaf.ts'
import type { DeleteOptions } from '../registry/delete-options.ts'
import { type ObjectFilter, readFields } from '../registry/object-filter.ts'
import type { Registry } from '../registry/registry.ts'
import { convertBetween, storedType } from '../registry/versions.ts'
import { cacheName, storeKey, type WriteRequest } from '../registry/write-request.ts'
import { remove } from './lists.ts'
import { runWrite } from './run-write.ts'

/** `gone`: the object is removed; otherwise it is marked, and finalizers or grace hold it. `object` is its last state. */
export interface Deleted {
  readonly gone: boolean
  readonly object: KubeObject
}

export function validateDeleteOptions(options: DeleteOptions): void {
  const causes = []
  const { propagationPolicy, orphanDependents, dryRun = [] } = options
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const text = 'orphanDependents and deletionPropagation cannot be both set'
    causes.push(invalidValue('propagationPolicy', propagationPolicy, text))
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy))
    causes.push(notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']))
  if (dryRun.some((value) => value !== 'All')) causes.push(notSupported('dryRun', dryRun, ['All']))
  if (causes.length > 0) throw invalidOptions('DeleteOptions', causes)
}

const POLICIES = ['Foreground', 'Background', 'Orphan']

export async function deleteObject(
  registry: Registry,
  request: WriteRequest,
  options: DeleteOptions,
): Promise<Deleted> {
  const { type, namespace, name = '' } = request
  const current = registry.resource(type).tree.get(cacheName(type, namespace, name))
  // A DELETE needs no more than the metadata: it works on the stored form, whatever becomes of a conversion.
  if (type.converter !== undefined) return deleteStored(registry, request, options)
  if (current?.damage !== undefined) return discardDamaged(registry, request)
  // The list ends with the object itself, never with its stored bytes.
  return (await runWrite(registry, remove, request, options)) as Deleted
}

async function deleteStored(registry: Registry, request: WriteRequest, options: DeleteOptions): Promise<Deleted> {
  const stored = storedType(registry, request.type)
  const deleted = await deleteObject(registry, { ...request, type: stored }, options)
  if (deleted.gone) return deleted
  // The object is marked, whether or not it can be shown in the version that was asked for.
  const shown = await Promise.resolve(convertBetween(deleted.object, stored, request.type)).catch(() => deleted.object)
  return { ...deleted, object: shown }
}

/** Deletes the objects that match now, or the first `limit` of them if that is not 0. Returns the deleted objects. */
export async function deleteCollection(
  registry: Registry,
  request: WriteRequest,
  filter: ObjectFilter,
  options: DeleteOptions,
  limit: number,
): Promise<KubeObject[]> {
  await registry.freshness?.newest()
  const all = [...registry.resource(request.type).tree.snapshot().objects(filter.prefix)]
  await readFields(request.type, registry.resource(request.type), filter, all)
  const matching = all.filter((object) => filter.matches(object)).slice(0, limit > 0 ? limit : undefined)
  // The labels of a damaged object are unknown, so the selector may or may not mean it.
  if (!filter.byKey) for (const object of matching) refuseDamaged(object)
  const deleted: KubeObject[] = []
  for (let i = 0; i < matching.length; i += BATCH) {
    const results = await Promise.all(
      matching.slice(i, i + BATCH).map((object) => deleteMatch(registry, request, object, options)),
    )
    for (const result of results) if (result) deleted.push(result.object)
  }
  return deleted
}

const BATCH = 64

async function deleteMatch(
  registry: Registry,
  request: WriteRequest,
  object: CachedObject,
  options: DeleteOptions,
): Promise<Deleted | undefined> {
  const slash = request.type.namespaced ? object.name.indexOf('/') : -1
  const one = {
    ...request,
    namespace: slash < 0 ? undefined : object.name.slice(0, slash),
    name: object.name.slice(slash + 1),
  }
  try {
    return await deleteObject(registry, one, options)
  } catch (error) {
    if (!registry.resource(request.type).tree.get(object.name)) return undefined
    throw error
  }
}

/** A DELETE removes a damaged record without any checks: nothing in it can be read. */
async function discardDamaged(registry: Registry, request: WriteRequest): Promise<Deleted> {
  const { type, namespace, name = '' } = request
  const key = storeKey(type, namespace, name)
  const metadata = { name, ...(namespace !== undefined && { namespace }) }
  const object = { apiVersion: type.version, kind: type.kind, metadata }
  if (request.dryRun) return { gone: true, object }
  return registry.locks.hold(key, async () => {
    const current = registry.resource(type).tree.get(cacheName(type, namespace, name))
    const isDamaged = current?.damage !== undefined
    if (
      !isDamaged ||
      typeof (await registry.commit(request, key, current, undefined, !request.type.keepsHistory)) !== 'number'
    )
      throw internalError(`the damaged record ${key} changed while it was being deleted; try again`)
    return { gone: true, object }
  })
}
