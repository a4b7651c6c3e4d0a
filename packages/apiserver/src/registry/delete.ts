// DELETE: removes an object at once, or marks it; a marked one stays until its finalizers are gone and its grace is over.

import { conflict, deepEqual, internalError, type KubeObject, notFound } from '@homeostat/meta'
import { invalidOptions, invalidValue, notSupported } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import { refuseDamaged } from '../cache/join-leaf.ts'
import type { DeleteOptions } from './delete-options.ts'
import { mayVanish, plannedDeletion } from './deletion-plan.ts'
import type { ObjectFilter } from './object-filter.ts'
import type { Registry } from './registry.ts'
import { encodeStored, readAs } from './versions.ts'
import { cacheName, storeKey, type WriteRequest } from './write-request.ts'

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
  const { type, namespace } = request
  const name = request.name ?? ''
  const key = storeKey(type, namespace, name)
  const place = cacheName(type, namespace, name)
  const resource = registry.resource(type)
  return registry.locks.hold(key, async () => {
    for (;;) {
      const current = resource.tree.get(place)
      if (!current) throw notFound({ group: type.group, resource: type.resource }, name)
      if (current.damage !== undefined) return discardDamaged(registry, request, key, current)
      resource.prepare(current)
      const old = readAs(current, type, registry.fieldMemory)
      checkPreconditions(request, options, old)
      const next = plannedDeletion(old, options, type.strategy, registry.now())
      const gone = mayVanish(type, next)
      // Kinds with grace show their deletionTimestamp in the last state; others stay unchanged.
      const object = gone && !type.strategy.deletionGrace ? old : next
      const settled = !gone && old.metadata.deletionTimestamp !== undefined && deepEqual(next, old)
      if (request.dryRun || settled) return { gone, object }
      const value = gone ? undefined : encodeStored(registry, type, next)
      const revision = await registry.commit(request, key, current, value)
      if (revision === undefined) continue
      object.metadata.resourceVersion = String(revision)
      return { gone, object }
    }
  })
}

/** Deletes the objects that match now, or the first `limit` of them if that is not 0. Returns the deleted objects. */
export async function deleteCollection(
  registry: Registry,
  request: WriteRequest,
  filter: ObjectFilter,
  options: DeleteOptions,
  limit: number,
): Promise<KubeObject[]> {
  const all = [...registry.resource(request.type).tree.snapshot().objects(filter.prefix)]
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

function checkPreconditions(request: WriteRequest, options: DeleteOptions, old: KubeObject): void {
  const { type } = request
  const { uid, resourceVersion } = options.preconditions ?? {}
  // For preconditions the real server names the kind, not the resource, in `details.kind`.
  const subject = { group: type.group, resource: type.kind }
  if (uid !== undefined && uid !== old.metadata.uid) {
    throw conflict(
      subject,
      request.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${old.metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      subject,
      request.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${old.metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** A DELETE removes a damaged record without any checks: nothing in it can be read. */
async function discardDamaged(
  registry: Registry,
  request: WriteRequest,
  key: string,
  current: CachedObject,
): Promise<Deleted> {
  const metadata = {
    name: request.name ?? '',
    ...(request.namespace !== undefined && { namespace: request.namespace }),
  }
  const object = { apiVersion: request.type.version, kind: request.type.kind, metadata }
  if (!request.dryRun && (await registry.commit(request, key, current, undefined)) === undefined) {
    throw internalError(`the damaged record ${key} changed while it was being deleted; try again`)
  }
  return { gone: true, object }
}
