// The description of a write for field tracking, and access to the versions in which other managers own fields.

import type { MapType } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import type { FieldChanges } from './compare-fields.ts'
import type { FieldMemory } from './field-memory.ts'
import type { FieldSet } from './field-set.ts'
import type { Identity } from './managed-entry.ts'
import { compareObjects, type ResetPaths } from './object-fields.ts'
import { reconcileFields } from './reconcile-fields.ts'
import { ANY_MAP } from './typed-value.ts'

export interface FieldWrite {
  readonly manager: string
  /** The version of the request's objects. */
  readonly apiVersion: string
  /** As in the URL. */
  readonly subresource?: string | undefined
  /** RFC 3339: now. Undefined when the new entry shall have none, as that of a scale. */
  readonly time: string | undefined
  /** Paths that this write never owns, such as `['status']`. */
  readonly reset: ResetPaths
  /** What every object of the kind has from the start, and nobody owns; for kinds that have such parts. */
  readonly emptyTemplate?: KubeObject | undefined
}

export interface VersionedTypes {
  /** Undefined when the version is not served any more. */
  typeOf(apiVersion: string): MapType | undefined
  /** Undefined when it cannot be converted. */
  convert(object: KubeObject, apiVersion: string): KubeObject | undefined
  /** The server's cache across writes; without it nothing is cached. */
  readonly memory?: FieldMemory
}

export function identityOf(write: FieldWrite, operation: 'Apply' | 'Update'): Identity {
  const { apiVersion, subresource } = write
  return { manager: write.manager === '' ? 'unknown' : write.manager, operation, apiVersion, subresource }
}

export function typeOfWrite(write: FieldWrite, types: VersionedTypes): MapType {
  return types.typeOf(write.apiVersion) ?? ANY_MAP
}

/** The set in the form that the current type requires. */
export function reconciledFields(set: FieldSet, type: MapType, { memory }: VersionedTypes): FieldSet {
  return memory === undefined ? reconcileFields(set, type) : memory.reconciled(set, type)
}

export function inVersion(object: KubeObject, apiVersion: string, types: VersionedTypes): KubeObject | undefined {
  return object.apiVersion === apiVersion ? object : types.convert(object, apiVersion)
}

/** The differences between two objects per version, computed when first requested. */
export class VersionedChanges {
  readonly #known = new Map<string, FieldChanges | undefined>()
  readonly #before: KubeObject
  readonly #after: KubeObject
  readonly #write: FieldWrite
  readonly #types: VersionedTypes

  constructor(before: KubeObject, after: KubeObject, write: FieldWrite, types: VersionedTypes) {
    this.#before = before
    this.#after = after
    this.#write = write
    this.#types = types
  }

  /** Undefined when the objects cannot be had in the version. */
  in(apiVersion: string): FieldChanges | undefined {
    if (this.#known.has(apiVersion)) return this.#known.get(apiVersion)
    const changes = this.#compare(apiVersion)
    this.#known.set(apiVersion, changes)
    return changes
  }

  #compare(apiVersion: string): FieldChanges | undefined {
    const { reset } = this.#write
    if (apiVersion === this.#write.apiVersion) {
      return compareObjects(typeOfWrite(this.#write, this.#types), this.#before, this.#after, reset)
    }
    const type = this.#types.typeOf(apiVersion)
    const before = this.#types.convert(this.#before, apiVersion)
    const after = this.#types.convert(this.#after, apiVersion)
    if (type === undefined || before === undefined || after === undefined) return undefined
    return compareObjects(type, before, after, reset)
  }
}
