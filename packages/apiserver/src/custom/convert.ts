// From one version of a custom resource to another. With conversion strategy None versions differ by apiVersion and by
// what their schemas know, so the object is renamed, pruned and defaulted.

import { formatGroupVersion, type KubeObject } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'

/** Changes the object in place and returns it. */
export function convert(object: KubeObject, type: ResourceType): KubeObject {
  object.apiVersion = formatGroupVersion(type)
  type.strategy.prune(object)
  type.strategy.applyDefaults(object)
  return object
}
