// PUT and the end of every PATCH: from what is stored to what shall be, in one conditional write.

import { yieldToLoop } from '@homeostat/base'
import {
  conflict,
  deepClone,
  deepEqual,
  invalid,
  invalidValue,
  type KubeObject,
  notFound,
  type ObjectMeta,
  type StatusError,
  validateObjectMetaUpdate,
} from '@homeostat/meta'
import { updatedFields } from '@homeostat/meta/writing'
import type { CachedObject } from '../cache/cached-object.ts'
import { checkPlace, createObject, type Written } from './create.ts'
import { asShown } from './decode-object.ts'
import { fieldWrite, versionedTypes } from './field-tracking.ts'
import { LARGE } from './large.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { ownsReplicas } from './scale-fields.ts'
import { changesNothing } from './unchanged.ts'
import { boundedValue, readAs } from './versions.ts'
import { cacheName, storeKey, type WriteRequest } from './write-request.ts'

/** Makes the wanted object from the stored one. Runs again, on newer state, when somebody else was faster. */
export type Change = (old: KubeObject) => KubeObject | Promise<KubeObject>

/** PUT. */
export async function replaceObject(
  registry: Registry,
  request: WriteRequest,
  object: KubeObject,
): Promise<Written & { created?: boolean }> {
  const { type } = request
  checkPlace(request, object)
  const name = request.name ?? ''
  if (
    type.strategy.createOnUpdate &&
    !request.subresource &&
    !registry.resource(type).tree.get(cacheName(type, request.namespace, name))
  ) {
    delete object.metadata.resourceVersion
    return { ...(await createObject(registry, request, object)), created: true }
  }
  return updateObject(registry, request, () => deepClone(object), { replace: true })
}

interface UpdateOptions {
  /** A PUT: what it does not say is meant to go. */
  readonly replace?: boolean
  /** A patch by a client: the uid that results is no precondition, but a field that cannot change. */
  readonly patched?: boolean
  /** The changed object says who owns its fields. */
  readonly applied?: boolean
  /** Where the client wrote, if that is not where the write is carried out. */
  readonly writtenAs?: string
}

export async function updateObject(
  registry: Registry,
  request: WriteRequest,
  change: Change,
  options: UpdateOptions = {},
): Promise<Written> {
  const { type, namespace } = request
  const name = request.name ?? ''
  const key = storeKey(type, namespace, name)
  const place = cacheName(type, namespace, name)
  const resource = registry.resource(type)
  return registry.locks.hold(key, async () => {
    for (;;) {
      const current = resource.get(place)
      if (!current) throw notFound({ group: type.group, resource: type.resource }, name)
      const large = request.large || current.size > LARGE
      // Others may have done much in this turn already.
      if (large) await yieldToLoop()
      const old = readAs(current, type, registry.fieldMemory)
      if (large) await yieldToLoop()
      const changed = change(old)
      const next = changed instanceof Promise ? await changed : changed
      checkPreconditions(request, next.metadata, current, old, options)
      if (large) await yieldToLoop()
      const managedFields = next === old ? undefined : track(registry, request, next, old, options)
      if (large) await yieldToLoop()
      const prepared = next === old ? old : prepare(request, next, old, managedFields)
      if (large) await yieldToLoop()
      if (prepared !== old) {
        if (large) await type.strategy.beforeValidation?.(prepared, old)
        check(request, prepared, old)
        if (large) await yieldToLoop()
        for (const text of type.strategy.warnings(prepared, old)) request.warn(text)
      }
      if (large) await yieldToLoop()
      // A write that changes nothing still migrates what is stored as an older definition wanted it.
      if (!current.outdated && (prepared === old || changesNothing(prepared, old)))
        return request.dryRun ? { object: old } : { stored: current }
      const vanishes = old.metadata.deletionTimestamp !== undefined && mayVanish(type, prepared)
      if (request.dryRun) return { object: prepared }
      const value = vanishes ? undefined : boundedValue(registry, type, prepared, { applied: options.applied ?? false })
      const revision = await registry.commit(request, key, current, value)
      if (revision === undefined) continue
      const stored = vanishes ? undefined : resource.get(place)
      if (stored) return { stored }
      prepared.metadata.resourceVersion = String(revision)
      return { object: prepared }
    }
  })
}

/** An object being deleted goes when nothing holds it any more, and its grace is over. */
export function mayVanish(type: ResourceType, object: KubeObject): boolean {
  const { finalizers, deletionGracePeriodSeconds } = object.metadata
  if ((finalizers ?? []).length > 0 || (deletionGracePeriodSeconds ?? 0) > 0) return false
  return type.strategy.mayVanish(object)
}

function checkPreconditions(
  request: WriteRequest,
  meta: ObjectMeta,
  current: CachedObject,
  old: KubeObject,
  { replace = false, patched = false }: UpdateOptions,
): void {
  const { type } = request
  const resource = { group: type.group, resource: type.resource }
  const name = request.name ?? ''
  const isOther = Boolean(meta.uid) && meta.uid !== old.metadata.uid
  if (isOther && !patched) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${meta.uid}, UID in object meta: ${old.metadata.uid}`,
    )
  }
  const version = meta.resourceVersion
  const isNamed = version !== undefined && version !== '' && version !== '0'
  if (!isNamed && replace && !type.strategy.unconditionalUpdate) {
    // Only here does the real server name the resource, not the kind, in `details.kind`.
    throw invalid({ group: type.group, kind: type.resource }, name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ])
  }
  if (isNamed && version !== String(current.revision)) {
    throw conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    )
  }
  // A patch that names a version of an object that was made anew conflicts; whoever named a uid alone changes a field.
  if (isOther) throw changedIdentity(request, meta.uid ?? '')
}

/** The rules of custom resources look at metadata once more after the general ones, and say the same again. */
function changedIdentity({ type, name = '' }: WriteRequest, uid: string): StatusError {
  const cause = invalidValue('metadata.uid', uid, 'field is immutable')
  return invalid({ group: type.group, kind: type.kind }, name, type.custom ? [cause, cause] : [cause])
}

/** Who owns what after the write, which may have defaults filled in. */
function track(
  registry: Registry,
  request: WriteRequest,
  next: KubeObject,
  old: KubeObject,
  { applied, writtenAs }: UpdateOptions,
): readonly unknown[] | undefined {
  const { type } = request
  type.strategy.applyDefaults(next, asShown(type, old))
  if (applied) return next.metadata.managedFields
  if (writtenAs === 'scale' && !ownsReplicas(registry, type, old)) return old.metadata.managedFields
  return updatedFields(old, next, fieldWrite(registry, request, writtenAs), versionedTypes(registry, type))
}

function prepare(
  request: WriteRequest,
  next: KubeObject,
  old: KubeObject,
  managedFields: readonly unknown[] | undefined,
): KubeObject {
  const { type } = request
  const { strategy } = type
  next.metadata = withServerFields(next.metadata, old.metadata)
  const part = request.subresource === undefined ? undefined : type.subresources.others?.[request.subresource]
  if (request.subresource === 'status') strategy.prepareForStatusUpdate(next, old)
  else if (part) part.prepare?.(next, old)
  else strategy.prepareForUpdate(next, old)
  // What a custom object took from the old one has its defaults.
  if (!type.custom) strategy.applyDefaults(next)
  setManagedFields(next, managedFields)
  // An action, such as binding a pod, carries out what was wanted already.
  if (strategy.generation && !part?.act && countsAsNewGeneration(type, next, old))
    next.metadata.generation = (old.metadata.generation ?? 0) + 1
  return next
}

function check(request: WriteRequest, next: KubeObject, old: KubeObject): void {
  const { type } = request
  const { strategy } = type
  const part = request.subresource === undefined ? undefined : type.subresources.others?.[request.subresource]
  const rules = part?.validateUpdate ? part : strategy
  const inStatus = request.subresource === 'status' && strategy.validateStatusUpdate !== undefined
  const causes = [
    ...validateObjectMetaUpdate(next.metadata, old.metadata),
    ...((inStatus ? strategy.validateStatusUpdate : rules.validateUpdate)?.(next, old, request.user) ?? []),
  ]
  if (causes.length > 0) throw invalid({ group: type.group, kind: type.kind }, request.name ?? '', causes)
}

/** What a client may send back but not change. Deletes as little as it can: that would slow down all that follows. */
function withServerFields(next: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const kept: Record<string, unknown> = { ...next }
  for (const field of KEPT) {
    const value = old[field]
    if (value !== undefined) kept[field] = value
    else if (kept[field] !== undefined) delete kept[field]
  }
  if (kept.selfLink !== undefined) delete kept.selfLink
  return kept as ObjectMeta
}

const KEPT = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'generateName',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

/** In the object's own metadata, not in one that it shares. */
export function setManagedFields(object: KubeObject, fields: readonly unknown[] | undefined): void {
  const { metadata } = object
  if (fields === metadata.managedFields) return
  if (fields !== undefined && fields.length > 0) object.metadata = { ...metadata, managedFields: fields }
  else {
    const { managedFields: _, ...rest } = metadata
    object.metadata = rest
  }
}

/** Anything but metadata; status too is left out where it is a subresource. */
function countsAsNewGeneration(type: ResourceType, next: KubeObject, old: KubeObject): boolean {
  const apart = (key: string) => key === 'metadata' || (key === 'status' && type.subresources.status)
  for (const key of Object.keys(next)) if (!apart(key) && !deepEqual(next[key], old[key])) return true
  for (const key of Object.keys(old)) if (!apart(key) && next[key] === undefined && old[key] !== undefined) return true
  return false
}
