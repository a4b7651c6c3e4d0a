// The Event about a rollback or an undelete. It is a trace and no part of the change: whoever may not write Events is told.

import { messageOf, systemClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { createObject } from '../../access/objects.ts'
import type { Session } from '../../access/session.ts'
import type { Terminal } from '../../terminal.ts'

const EVENTS = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }

export interface Restored {
  readonly reason: 'RolledBack' | 'Undeleted'
  readonly action: 'Rollback' | 'Undelete'
  readonly note: string
}

export async function recordRestore(
  { client }: Session,
  terminal: Terminal,
  { apiVersion, kind, metadata }: ApiObject,
  { reason, action, note }: Restored,
): Promise<void> {
  const { name, namespace, uid, resourceVersion } = metadata
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { generateName: `${(name ?? '').slice(0, 200)}.`, namespace: namespace ?? 'default' },
    eventTime: new Date((terminal.clock ?? systemClock).now()).toISOString().replace('Z', '000Z'),
    reportingController: 'homeostat.dev/cli',
    reportingInstance: 'homeostat',
    type: 'Normal',
    reason,
    action,
    note,
    regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
  }
  try {
    await createObject(client, EVENTS, namespace ?? 'default', event)
  } catch (error) {
    terminal.error(`Warning: no Event tells of it: ${messageOf(error)}\n`)
  }
}
