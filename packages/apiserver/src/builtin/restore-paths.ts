// Restores the values at paths that a write may not change.

import { deepClone, isObject, type KubeObject } from '@homeostat/meta'
import { type Fields, fieldsOf } from './fields-of.ts'

/** Sets the object's value at each path to the old one's, in place. */
export function restorePaths(object: KubeObject, old: KubeObject, paths: readonly (readonly string[])[]): void {
  const { resourceVersion } = object.metadata
  for (const path of paths) restore(object as unknown as Fields, old as unknown as Fields, path)
  // Keep the resourceVersion: it is the precondition of the caller, not a change.
  if (resourceVersion !== undefined) object.metadata = { ...object.metadata, resourceVersion }
}

function restore(into: Fields, from: Fields, [field = '', ...rest]: readonly string[]): void {
  const value = from[field]
  if (rest.length > 0) {
    if (!isObject(into[field])) into[field] = {}
    restore(fieldsOf(into[field]), fieldsOf(value), rest)
  } else if (value === undefined) delete into[field]
  else into[field] = deepClone(value)
}
