// Decides which events a change causes, from the states before and after it. Pure.

import type { ApiObject, InformerEvent } from '@homeostat/client'
import { deepEqual, type ObjectMeta } from '@homeostat/meta'

/**
 * `changed` comes with every change. `updated`: the object existed and still does. `deleted`: it is gone. `replaced`:
 * another object has its name. The others name the part that differs; when an object appears, all parts do.
 */
export type ResourceEvent =
  | 'changed'
  | 'updated'
  | 'deleted'
  | 'replaced'
  | 'changedSpec'
  | 'changedStatus'
  | 'changedMetadata'

export function resourceEvents(change: InformerEvent<ApiObject>): ResourceEvent[] {
  if (change.type === 'deleted') return ['deleted', 'changed']
  const before: Parts = change.previous ?? {}
  const after: Parts = change.object
  const events: ResourceEvent[] = []
  if (change.previous) events.push('updated')
  if (change.previous && change.previous.metadata.uid !== change.object.metadata.uid) events.push('replaced')
  if (!deepEqual(before.spec, after.spec) || !deepEqual(before.data, after.data)) events.push('changedSpec')
  if (!deepEqual(before.status, after.status)) events.push('changedStatus')
  if (!deepEqual(authored(before.metadata), authored(after.metadata))) events.push('changedMetadata')
  return [...events, 'changed']
}

interface Parts {
  readonly spec?: unknown
  readonly data?: unknown
  readonly status?: unknown
  readonly metadata?: ObjectMeta
}

/** Metadata without the fields that every write changes. */
function authored(metadata: ObjectMeta | undefined): unknown {
  if (!metadata) return undefined
  return { ...metadata, resourceVersion: undefined, generation: undefined, managedFields: undefined }
}
