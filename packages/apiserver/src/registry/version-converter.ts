// Copies of stored objects in a version that only a conversion webhook can make of some of them. What reads objects in such a version holds
// their copies first, since it must not wait while it reads; without copies it fails rather than show another version.

import type { KubeObject } from '@homeostat/meta'
import type { CachedObject, Stored } from '../cache/cached-object.ts'

/** Keeps copies from being forgotten. Must be released. */
export interface HeldCopies {
  release(): void
}

export interface VersionConverter {
  copyOf(object: Stored): Stored | undefined
  /** Converts those objects that have no copy, in order. Rejects with a StatusError that names the conversion. */
  hold(objects: readonly CachedObject[]): Promise<HeldCopies>
  /** Converts one object into a version of the resource: `group/version`. It gives up the object. */
  convert(object: KubeObject, apiVersion: string): Promise<KubeObject>
}
