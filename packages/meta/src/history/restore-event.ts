// The Event about a rollback or an undelete. It is a trace and no part of the change.

import { rfc3339Micro } from '../time/rfc3339.ts'
import type { KeptObject } from './entry.ts'

export interface Restored {
  readonly reason: 'RolledBack' | 'Undeleted'
  readonly action: 'Rollback' | 'Undelete'
  readonly note: string
  /** Who did it for the person, e.g. `homeostat.dev/cli`. */
  readonly controller: string
  /** Milliseconds. */
  readonly at: number
}

/** Of events.k8s.io/v1; it belongs into its own namespace. */
export function restoreEvent(
  { apiVersion, kind, metadata }: KeptObject,
  { reason, action, note, controller, at }: Restored,
): KeptObject {
  const { name, namespace, uid, resourceVersion } = metadata
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { generateName: `${(name ?? '').slice(0, 200)}.`, namespace: namespace ?? 'default' },
    eventTime: rfc3339Micro(at),
    reportingController: controller,
    reportingInstance: 'homeostat',
    type: 'Normal',
    reason,
    action,
    note,
    regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
  }
  return event
}
