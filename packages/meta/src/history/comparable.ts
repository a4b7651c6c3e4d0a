// What two generations of an object are compared by.

import type { KeptObject } from './entry.ts'

/** Without what changes with every write. */
export function comparable(object: KeptObject): KeptObject {
  const { apiVersion, kind, status: _, metadata, ...rest } = object as KeptObject & Readonly<Record<string, unknown>>
  const { resourceVersion: __, generation: ___, managedFields: ____, ...kept } = metadata
  return { apiVersion, kind, metadata: kept, ...rest } as KeptObject
}
