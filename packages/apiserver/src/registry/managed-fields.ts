// Managed fields in an object's metadata, which it may share with the object that it was made from.

import type { KubeObject } from '@homeostat/meta'

/** In the object's own metadata, not in one that it shares. */
export function setManagedFields(object: KubeObject, fields: readonly unknown[] | undefined): void {
  const { metadata } = object
  if (fields === metadata.managedFields) return
  if (fields !== undefined && fields.length > 0) object.metadata = { ...metadata, managedFields: fields }
  else {
    const { managedFields: _, ...rest } = metadata
    object.metadata = rest
  }
}
