// Sets managed fields in an object whose metadata may be shared with the object that it was made from.

import type { KubeObject } from '@homeostat/meta'

/** Copies the metadata first, since it may be shared. */
export function setManagedFields(object: KubeObject, fields: readonly unknown[] | undefined): void {
  const { metadata } = object
  if (fields === metadata.managedFields) return
  if (fields !== undefined && fields.length > 0) object.metadata = { ...metadata, managedFields: fields }
  else {
    const { managedFields: _, ...rest } = metadata
    object.metadata = rest
  }
}
