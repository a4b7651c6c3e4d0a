// POST: a new object, from its decoded form to the stored bytes.

import { randomUUID } from 'node:crypto'
import { yieldToLoop } from '@homeostat/base'
import {
  alreadyExists,
  badRequest,
  failure,
  generateName,
  generateNameConflict,
  invalid,
  type KubeObject,
  validateObjectMeta,
  writeJson,
} from '@homeostat/meta'
import { createdFields, createdFieldsOver, updatedFields } from '@homeostat/meta/writing'
import type { CachedObject } from '../cache/cached-object.ts'
import { admitCreate, ensureNamespace } from './admission.ts'
import { fieldWrite, versionedTypes } from './field-tracking.ts'
import type { Registry } from './registry.ts'
import { boundedValue, isStoredForm, withManagedFields } from './versions.ts'
import { cacheName, storeKey, type WriteRequest } from './write-request.ts'

/** What a write answers with: what is stored now, or for a dry run what would be. */
export type Written = { readonly stored: CachedObject } | { readonly object: KubeObject }

const NAME_TRIES = 8

/** `applied`: the object says who owns its fields. Otherwise the writer owns them all. */
export async function createObject(
  registry: Registry,
  request: WriteRequest,
  object: KubeObject,
  options: { applied: boolean } = { applied: false },
): Promise<Written> {
  const { type } = request
  const { strategy } = type
  const meta = object.metadata
  if (namesRevision(meta.resourceVersion))
    throw failure(500, 'resourceVersion should not be set on objects to be created')
  checkPlace(request, object)
  admitCreate(registry, request, meta.name ?? '')
  object.metadata = { ...meta, uid: randomUUID(), creationTimestamp: registry.timestamp() }
  if (type.namespaced && request.namespace !== undefined) object.metadata.namespace = request.namespace
  for (const field of SERVER_FIELDS) if (object.metadata[field] !== undefined) delete object.metadata[field]
  if (strategy.generation) object.metadata.generation = 1
  const generated = !meta.name && meta.generateName !== undefined && meta.generateName !== ''
  for (let attempt = 1; ; attempt++) {
    if (generated) object.metadata.name = generateName(meta.generateName ?? '')
    strategy.applyDefaults(object)
    if (request.large) await yieldToLoop()
    const managedFields = options.applied ? undefined : trackCreate(registry, request, object)
    if (request.large) await yieldToLoop()
    const asItIs = type.custom && strategy.preparesNothing === true && object.status === undefined
    strategy.prepareForCreate(object, request.user)
    if (!asItIs) strategy.applyDefaults(object)
    if (request.large) await yieldToLoop()
    if (attempt === 1) {
      if (request.large) await strategy.beforeValidation?.(object, undefined)
      validateNew(request, object)
      if (request.large) await yieldToLoop()
      for (const text of strategy.warnings(object, undefined)) request.warn(text)
      if (request.large) await yieldToLoop()
      if (type.createsNamespaces) await ensureNamespace(registry, request)
    }
    if (strategy.prepareValidated) {
      strategy.prepareValidated(object, request.user)
      strategy.applyDefaults(object)
    }
    const written = await insert(registry, request, object, { ...options, managedFields })
    if (written) return written
    const name = object.metadata.name ?? ''
    const resource = { group: type.group, resource: type.resource }
    if (!generated) throw existing(registry, request, name)
    if (attempt === NAME_TRIES) throw generateNameConflict(resource, name, 1)
  }
}

/** Kubernetes drops what is no version at all: zero, a word, a negative number. */
function namesRevision(version: string | undefined): boolean {
  return version !== undefined && /^\d{1,20}$/.test(version) && /[1-9]/.test(version)
}

const SERVER_FIELDS = [
  'resourceVersion',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const

/**
 * The managed fields as JSON; undefined when there are none, or when the object itself has them: clients may bring
 * some, of an object that they restore.
 */
function trackCreate(registry: Registry, request: WriteRequest, object: KubeObject): string | undefined {
  const { metadata } = object
  const write = fieldWrite(registry, request)
  const types = versionedTypes(registry, request.type)
  const brought = metadata.managedFields
  const { blank } = request.type
  if (brought !== undefined) {
    const fields = brought.length === 0 ? undefined : updatedFields(undefined, object, write, types)
    if (fields === undefined || fields.length === 0) delete metadata.managedFields
    else metadata.managedFields = fields
    if (brought.length > 0) return undefined
  }
  if (blank === undefined) return createdFields(object, write, types)
  const fields = createdFieldsOver(blank, object, write, types)
  return fields && writeJson(fields)
}

/** The URL and the object must not disagree on where it lives. */
export function checkPlace(request: WriteRequest, object: KubeObject): void {
  const { namespace, name } = object.metadata
  if (request.type.namespaced && namespace !== undefined && namespace !== '' && namespace !== request.namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request (${namespace} is not ${request.namespace})`,
    )
  }
  if (!request.type.namespaced) delete object.metadata.namespace
  if (request.name === undefined) return
  if (!name) object.metadata.name = request.name
  else if (name !== request.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`)
}

function validateNew(request: WriteRequest, object: KubeObject): void {
  const { type } = request
  const causes = validateObjectMeta(object.metadata, {
    namespaced: type.namespaced,
    nameErrors: (name, prefix) => type.strategy.nameErrors(name, prefix),
  })
  causes.push(...type.strategy.validate(object))
  if (causes.length > 0) throw invalid({ group: type.group, kind: type.kind }, object.metadata.name ?? '', causes)
}

/** Undefined when the name is taken. */
async function insert(
  registry: Registry,
  request: WriteRequest,
  object: KubeObject,
  { applied, managedFields }: { applied: boolean; managedFields: string | undefined },
): Promise<Written | undefined> {
  const { type } = request
  const name = object.metadata.name ?? ''
  const place = cacheName(type, request.namespace, name)
  const resource = registry.resource(type)
  if (request.dryRun) {
    if (resource.tree.get(place)) return undefined
    return { object: managedFields === undefined ? object : withManagedFields(object, managedFields) }
  }
  const key = storeKey(type, request.namespace, name)
  return registry.locks.hold(key, async () => {
    if (resource.tree.get(place)) return undefined
    // Once more: the namespace or the definition may have begun to terminate meanwhile, and the controllers that
    // empty them count on no write being handed to the store after that.
    admitCreate(registry, request, name)
    const afterInsert = type.strategy.beforeInsert?.(object)
    let stored: CachedObject | undefined
    try {
      const value = boundedValue(registry, type, object, { applied, managedFields })
      const keeps = resource.recent !== undefined && request.ours && isStoredForm(type)
      const kept = keeps ? withFieldsText(registry, object, managedFields) : undefined
      const revision = await registry.commit(request, key, undefined, value, kept)
      if (revision !== undefined) stored = resource.tree.get(place)
    } finally {
      afterInsert?.(stored)
    }
    return stored && { stored }
  })
}

/** As it will be read. */
function withFieldsText(registry: Registry, object: KubeObject, managedFields: string | undefined): KubeObject {
  if (managedFields === undefined) return object
  return { ...object, metadata: { ...object.metadata, managedFields: registry.fieldMemory.texts.read(managedFields) } }
}

function existing(registry: Registry, request: WriteRequest, name: string): Error {
  const { type } = request
  const error = alreadyExists({ group: type.group, resource: type.resource }, name)
  const current = registry.resource(type).tree.get(cacheName(type, request.namespace, name))
  if (current?.damage === undefined && current && registry.parse(current).metadata.deletionTimestamp) {
    error.status.message = `object is being deleted: ${error.status.message}`
  }
  return error
}
