// The facts about a write and about the versions of its resource that managed fields need. The rules are in meta.

import { type KubeObject, parseGroupVersion } from '@homeostat/meta'
import type { FieldWrite, VersionedTypes } from '@homeostat/meta/merge'
import { apiVersionOf } from './decode-object.ts'
import type { Registry } from './registry.ts'
import type { ResourceType } from './resource-type.ts'
import { convertTo } from './versions.ts'
import type { WriteRequest } from './write-request.ts'

/** A write of the scale is tracked as a write of the main resource. */
export function fieldWrite(registry: Registry, request: WriteRequest): FieldWrite {
  const { type, manager, subresource } = request
  return {
    manager,
    apiVersion: apiVersionOf(type),
    subresource,
    // Kubernetes copies the entry from the Scale and loses its time.
    time: subresource === 'scale' ? undefined : registry.timestamp(),
    emptyTemplate: type.emptyTemplate,
    reset: type.strategy.resetFields?.[subresource === 'scale' ? '' : (subresource ?? '')] ?? NONE,
  }
}

const NONE: readonly (readonly string[])[] = []

/** The versions in which a manager may own fields of the type's objects. */
export function versionedTypes(registry: Registry, type: ResourceType): VersionedTypes {
  let known = registry.versionedTypes.get(type)
  if (known === undefined) {
    const own = apiVersionOf(type)
    const find = (apiVersion: string) => (apiVersion === own ? type : sibling(registry, type, apiVersion))
    known = {
      memory: registry.fieldMemory,
      typeOf: (apiVersion) => find(apiVersion)?.mergeType,
      convert: (object: KubeObject, apiVersion: string) => {
        const target = find(apiVersion)
        return target && convertTo(object, type, target)
      },
    }
    registry.versionedTypes.set(type, known)
  }
  return known
}

/** The type of another version of the same resource, or of another API for the same stored objects. */
export function sibling(registry: Registry, type: ResourceType, apiVersion: string): ResourceType | undefined {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' }
  const found = registry.types.find(group, version, type.resource)
  return found?.storage === type.storage ? found : undefined
}
