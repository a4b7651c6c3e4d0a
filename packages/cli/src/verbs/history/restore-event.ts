// Writes the Event about a rollback or an undelete. Whoever may not write Events is told.

import { messageOf, systemClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { type Restored, restoreEvent } from '@homeostat/meta/history'
import { createObject } from '../../access/objects.ts'
import type { Session } from '../../access/session.ts'
import type { Terminal } from '../../terminal.ts'

const EVENTS = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }

export async function recordRestore(
  { client }: Session,
  terminal: Terminal,
  object: ApiObject,
  restored: Omit<Restored, 'controller' | 'at'>,
): Promise<void> {
  const at = (terminal.clock ?? systemClock).now()
  const event = restoreEvent(object, { ...restored, controller: 'homeostat.dev/cli', at })
  try {
    await createObject(client, EVENTS, event.metadata.namespace ?? '', event)
  } catch (error) {
    terminal.error(`Warning: no Event tells of it: ${messageOf(error)}\n`)
  }
}
