// Between the versions of a resource. One is stored; the others differ by apiVersion and by what their schemas know
// (conversion strategy None), so an object is rewritten, pruned and defaulted on its way from one to another.

import { deepClone, type Encoded, encodeObject, type KubeObject } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import { apiVersionOf } from './decode-object.ts'
import { parseStored, type Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'

/** A fresh copy of a stored object in the type's version. */
export function readAs(object: CachedObject, type: ResourceType): KubeObject {
  const parsed = parseStored(object.bytes)
  if (isStoredForm(type)) return parsed
  return type.conversion ? type.conversion.fromStored(parsed) : rewrite(parsed, type)
}

/** Whether stored bytes are what the type shows. */
export function isStoredForm(type: ResourceType): boolean {
  return type.version === type.storageVersion && type.conversion === undefined
}

/** The bytes to store for an object given in the type's version. */
export function encodeStored(registry: Registry, type: ResourceType, object: KubeObject): Encoded {
  if (isStoredForm(type)) return encodeObject(object)
  if (type.conversion) return encodeObject(type.conversion.toStored(deepClone(object)))
  const stored = registry.types.find(type.group, type.storageVersion, type.resource)
  // The storage version may be one that is not served; then its schema is not at hand and the object stays as it is.
  if (!stored) return encodeObject({ ...object, apiVersion: apiVersionOf({ ...type, version: type.storageVersion }) })
  return encodeObject(rewrite(deepClone(object), stored))
}

function rewrite(object: KubeObject, type: ResourceType): KubeObject {
  object.apiVersion = apiVersionOf(type)
  type.strategy.prune(object)
  type.strategy.applyDefaults(object)
  return object
}
