// The versions in which a resource can be requested: those with the same stored objects, also in another group.

import type { ResourceType } from '../../registry/resource-type.ts'
import type { ResourceTypes } from '../../registry/resource-types.ts'

export class ServedVersions {
  readonly #types: Pick<ResourceTypes, 'all' | 'generation'>
  #byStorage = new Map<string, ResourceType[]>()
  #generation = -1

  constructor(types: Pick<ResourceTypes, 'all' | 'generation'>) {
    this.#types = types
  }

  /** Rises when a version is served or not served any more. */
  get generation(): number {
    return this.#types.generation
  }

  others(type: ResourceType): readonly ResourceType[] {
    if (this.#generation !== this.generation) {
      this.#generation = this.generation
      this.#byStorage = Map.groupBy(this.#types.all(), ({ storage }) => storage)
    }
    return (this.#byStorage.get(type.storage) ?? []).filter(
      (other) => other.version !== type.version || other.group !== type.group || other.resource !== type.resource,
    )
  }
}
