// Converts between the versions of a resource: rewrites apiVersion and prunes by the schema of the target version (strategy
// None), or takes the copy that a webhook has made. Defaults come from the stored version and from the version of a write; a read in another version
// adds none.

import { deepClone, internalError, type KubeObject } from '@homeostat/meta'
import type { FieldMemory } from '@homeostat/meta/merge'
import {
  type Encoded,
  encodeObject,
  holdsTooMuch,
  isLight,
  MAX_JSON_WEIGHT,
  readStored,
  weighJson,
} from '@homeostat/meta/server'
import type { CachedObject, Stored } from '../cache/cached-object.ts'
import { apiVersionOf } from './decode-object.ts'
import type { Registry } from './registry.ts'
import type { ResourceNames, ResourceType, StoredAs } from './resource-type.ts'
import { storedVersionOf } from './stored-version.ts'
import type { VersionConverter } from './version-converter.ts'

/** A fresh copy of a stored object in the type's version. `memory` shares parsed managed fields, for objects to write. */
export function readAs(object: Stored, type: ResourceType, memory?: FieldMemory): KubeObject {
  if (type.converter !== undefined) return readCopy(object, type, type.converter, memory)
  const parsed = readStored(object.bytes, object.metaEnd, memory)
  if (isStoredForm(type)) return parsed
  return type.conversion ? type.conversion.fromStored(parsed) : rewrite(parsed, type)
}

function readCopy(object: Stored, type: ResourceType, converter: VersionConverter, memory?: FieldMemory): KubeObject {
  const copy = converter.copyOf(object)
  if (copy === undefined) throw internalError(`no copy of the object in ${apiVersionOf(type)} is held`)
  return readStored(copy.bytes, copy.metaEnd, memory)
}

/** Calls `read` while the copies of the objects in the type's version are held, if it needs such. */
export function withCopies<T>(
  type: ResourceType,
  objects: readonly CachedObject[],
  read: () => T | Promise<T>,
): T | Promise<T> {
  return type.converter === undefined ? read() : readHeld(type.converter, objects, read)
}

async function readHeld<T>(
  converter: VersionConverter,
  objects: readonly CachedObject[],
  read: () => T | Promise<T>,
): Promise<T> {
  const held = await converter.hold(objects)
  try {
    return await read()
  } finally {
    held.release()
  }
}

/** An object of one type in another version of it; by a webhook, if only that can. Takes a copy. */
export function convertBetween(
  object: KubeObject,
  from: ResourceType,
  to: ResourceType,
): KubeObject | Promise<KubeObject> {
  const converter = to.converter ?? from.converter
  if (from === to || converter === undefined) return convertTo(object, from, to)
  return converter.convert(deepClone(object), apiVersionOf(to)).then((converted) => {
    to.strategy.prune(converted)
    return converted
  })
}

/** Whether the type shows the stored bytes of every object unchanged. */
export function showsStored(type: ResourceNames & StoredAs): boolean {
  return isStoredForm(type) && type.converter === undefined
}

/** Whether the bytes to store are those of the type. */
export function isStoredForm(type: ResourceNames & StoredAs): boolean {
  return type.version === type.storageVersion && type.conversion === undefined
}

/** Copies an object of one type into another type with the same storage. */
export function convertTo(object: KubeObject, from: ResourceType, to: ResourceType): KubeObject {
  const copy = deepClone(object)
  const stored = from.conversion ? from.conversion.toStored(copy) : copy
  return to.conversion ? to.conversion.fromStored(stored) : rewrite(stored, to)
}

/** The type of the version that objects are stored in, of a type that a webhook converts. */
export function storedType({ types }: Registry, type: ResourceType): ResourceType {
  const stored = types.stored(type.group, type.resource)
  if (stored === undefined || !showsStored(stored))
    throw internalError(`${type.resource}.${type.group} has no version to store objects in`)
  return stored
}

/** The type of the version that this object is stored in, of a hidden type of its resource. */
export function storedTypeOf({ types }: Registry, type: ResourceType, object: CachedObject): ResourceType {
  if (object.damage !== undefined) return type
  return types.storedIn(type.group, type.resource, storedVersionOf(object)) ?? type
}

/** Whether a write has to store the object anew though nothing in it changes: as its definition wants it now. */
export function isStoredOtherwise(object: CachedObject, type: ResourceType): boolean {
  if (object.outdated) return true
  return type.converter !== undefined && storedVersionOf(object) !== `${type.group}/${type.storageVersion}`
}

/** The bytes to store for an object in the type's version. `managedFields` is JSON to add to an object that has none. */
export function encodeStored(
  registry: Registry,
  type: ResourceType,
  object: KubeObject,
  managedFields?: string,
): Encoded {
  if (isStoredForm(type)) return encodeObject(object, managedFields, registry.fieldMemory)
  if (managedFields !== undefined) return encodeStored(registry, type, withManagedFields(object, managedFields))
  if (type.conversion) return encodeObject(type.conversion.toStored(deepClone(object)))
  const stored = registry.types.find(type.group, type.storageVersion, type.resource)
  const written = deepClone(object)
  written.apiVersion = `${type.group}/${type.storageVersion}`
  const form = stored ? stored.strategy : type.storedForm
  form?.prune(written)
  form?.applyDefaults(written)
  return encodeObject(written, undefined, registry.fieldMemory)
}

export function withManagedFields(object: KubeObject, text: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: JSON.parse(text) } }
}

/**
 * Stores a too large object without its managed fields, and refuses it if it is still too large. After an apply it is
 * refused at once: without managed fields the next apply would not know what it owns.
 */
export function boundedValue(
  registry: Registry,
  type: ResourceType,
  object: KubeObject,
  { applied, managedFields }: { applied: boolean; managedFields?: string | undefined },
): Encoded {
  const value = encodeStored(registry, type, object, managedFields)
  const limit = Math.min(MAX_OBJECT, registry.store.maxValueBytes)
  const excess = problemOf(value, limit)
  if (excess === undefined) return value
  const rest = value.bytes.length - (managedFields?.length ?? 0)
  if (applied || (managedFields !== undefined && rest > limit)) throw holdsTooMuch(excess)
  const { managedFields: _, ...metadata } = object.metadata
  const bare = encodeStored(registry, type, { ...object, metadata })
  const problem = problemOf(bare, limit)
  if (problem !== undefined) throw holdsTooMuch(problem)
  return bare
}

/** The default limit of etcd, whatever the store's own limit is. */
const MAX_OBJECT = 3 << 19

function problemOf({ bytes }: Encoded, limit: number): string | undefined {
  if (bytes.length > limit) return `the object has ${bytes.length} bytes, the limit is ${limit}`
  if (isLight(bytes.length) || weighJson(bytes) <= MAX_JSON_WEIGHT) return undefined
  return `the object holds more than ${MAX_JSON_WEIGHT / 3} keys or ${MAX_JSON_WEIGHT} list items`
}

function rewrite(object: KubeObject, type: ResourceType): KubeObject {
  object.apiVersion = apiVersionOf(type)
  type.strategy.prune(object)
  return object
}
