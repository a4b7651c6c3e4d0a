// The live table of everything served: the built-in types, and those that definitions add, change and remove.
// The router, discovery and OpenAPI read it. The definition controller alone writes the custom part.

import type { ApiExtension } from './api-extension.ts'
import { extendType } from './extend-type.ts'
import type { ResourceType } from './resource-type.ts'
import { ruledType, type TypeRules } from './type-rules.ts'

export class ResourceTypes {
  /** Served versions by group and resource. */
  readonly #served = new Map<string, Map<string, readonly ResourceType[]>>()
  readonly #listeners = new Set<() => void>()
  readonly #extensions: readonly ApiExtension[]
  readonly #rules: readonly TypeRules[]
  #generation = 0

  /** Extensions and rules are added to the types that they name when these are served. */
  constructor(extensions: readonly ApiExtension[] = [], rules: readonly TypeRules[] = []) {
    this.#extensions = extensions
    this.#rules = rules
  }

  /** `group` is empty for the core group. */
  find(group: string, version: string, resource: string): ResourceType | undefined {
    const types = this.#served.get(group)?.get(resource)
    if (types) for (const type of types) if (type.version === version && type.hidden === undefined) return type
    return undefined
  }

  all(): readonly ResourceType[] {
    return [...this.#served.values()].flatMap((resources) => [...resources.values()].flat()).filter(isServed)
  }

  /** The type that stores the resource: its storage version, without a conversion, else any served version. */
  stored(group: string, resource: string): ResourceType | undefined {
    const types = this.#served.get(group)?.get(resource)
    const isStorage = ({ version, storageVersion, hidden }: ResourceType) =>
      version === storageVersion && hidden !== 'other version'
    return (
      types?.find((type) => isStorage(type) && type.converter === undefined) ?? types?.find(isStorage) ?? types?.[0]
    )
  }

  /** The type of objects that are still stored in another version than the storage version, where a webhook converts them. */
  storedIn(group: string, resource: string, apiVersion: string): ResourceType | undefined {
    const types = this.#served.get(group)?.get(resource)
    return types?.find(({ version, hidden }) => hidden !== undefined && `${group}/${version}` === apiVersion)
  }

  /** Whether it is the one of its version that counts now. */
  isCurrent(type: ResourceType): boolean {
    return this.#served.get(type.group)?.get(type.resource)?.includes(type) ?? false
  }

  /** Increases with every change, so that readers can cache what they derive from the table. */
  get generation(): number {
    return this.#generation
  }

  /** Replaces every version of one resource at once; an empty list removes it. */
  set(group: string, resource: string, types: readonly ResourceType[]): void {
    const resources = this.#served.get(group) ?? new Map<string, readonly ResourceType[]>()
    const extended = types.map((type) => ruledType(extendType(type, this.#extensions), this.#rules))
    if (extended.length > 0) resources.set(resource, extended)
    else resources.delete(resource)
    if (resources.size > 0) this.#served.set(group, resources)
    else this.#served.delete(group)
    this.#generation++
    for (const listener of this.#listeners) listener()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function isServed({ hidden }: ResourceType): boolean {
  return hidden === undefined
}
