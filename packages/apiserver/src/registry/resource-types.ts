// The live table of everything served: the built-in types, and those that definitions add, change and remove.
// The router, discovery and OpenAPI read it. The definition controller alone writes the custom part.

import type { ResourceType } from './resource-type.ts'

export class ResourceTypes {
  readonly #byPath = new Map<string, ResourceType>()
  readonly #listeners = new Set<() => void>()
  #generation = 0

  /** `group` is empty for the core group. */
  find(group: string, version: string, resource: string): ResourceType | undefined {
    return this.#byPath.get(`${group}/${version}/${resource}`)
  }

  all(): readonly ResourceType[] {
    return [...this.#byPath.values()]
  }

  /** The type that stores the resource: its storage version if served, else any served version. */
  stored(group: string, resource: string): ResourceType | undefined {
    let any: ResourceType | undefined
    for (const type of this.#byPath.values()) {
      if (type.group !== group || type.resource !== resource) continue
      if (type.version === type.storageVersion) return type
      any ??= type
    }
    return any
  }

  /** Rises with every change, so that readers can keep what they derive from the table. */
  get generation(): number {
    return this.#generation
  }

  /** Replaces every version of one resource at once; an empty list removes it. */
  set(group: string, resource: string, types: readonly ResourceType[]): void {
    for (const [path, type] of this.#byPath) {
      if (type.group === group && type.resource === resource) this.#byPath.delete(path)
    }
    for (const type of types) this.#byPath.set(`${group}/${type.version}/${resource}`, type)
    this.#generation++
    for (const listener of this.#listeners) listener()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
