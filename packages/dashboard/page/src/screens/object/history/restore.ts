// Carries out a rollback and an undelete, exactly as the commands do: an ordinary update or creation by a manager of its own, which
// never forces, and an Event that tells of it.

import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import {
  type HistoryEntry,
  type KeptObject,
  labelOf,
  ownersOf,
  type Restored,
  restoreEvent,
  rolledBack,
  undeleted,
} from '@homeostat/meta/history'
import { client } from '../../../connection/client.ts'
import { collectionPath, type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'
import type { ServedKinds } from '../../../kinds/served-kinds.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** What came of it, as a sentence. */
export async function rollBack(kind: Kind, of: ObjectName, entry: HistoryEntry): Promise<string> {
  const { object: older } = entry
  if (older === undefined) throw new Error('What it was then is not kept any more.')
  const path = objectPath(kind, of)
  const live = (await client.requestJson({ method: 'GET', path })) as ApiObject
  const after = (await client.requestJson({
    method: 'PUT',
    path: `${path}?fieldManager=homeostat-rollback`,
    headers: JSON_TYPE,
    body: writeJson(rolledBack(live, older)),
  })) as ApiObject
  const label = labelOf(entry)
  if (after.metadata.resourceVersion === live.metadata.resourceVersion)
    return `It is as in generation ${label} already.`
  const { generation } = after.metadata
  const now = generation === undefined ? '' : `, now generation ${generation}`
  const note = `rolled back to generation ${label}${now}`
  const noted = await tell(named(after, older), { reason: 'RolledBack', action: 'Rollback', note })
  return `It was ${note}.${noted}`
}

export async function undelete(kinds: ServedKinds, kind: Kind, of: ObjectName, last: HistoryEntry): Promise<string> {
  const { object: older } = last
  if (older === undefined) throw new Error('What was deleted is not kept any more.')
  const living = await Promise.all(
    ownersOf(older).map(async (owner) => ({ owner, lives: await lives(kinds, of, owner) })),
  )
  const owners = living.flatMap(({ owner, lives }) => (lives ? [owner] : []))
  const after = (await client.requestJson({
    method: 'POST',
    path: `${collectionPath(kind, of.namespace)}?fieldManager=homeostat-undelete`,
    headers: JSON_TYPE,
    body: writeJson(undeleted(older, owners)),
  })) as ApiObject
  const note = `made again as it was deleted at ${last.time ?? 'an unknown time'} by ${last.user ?? 'somebody'}`
  const noted = await tell(named(after, older), { reason: 'Undeleted', action: 'Undelete', note })
  return `It was ${note}.${noted}`
}

/** An owner that was made anew under the name is another one. */
async function lives(
  kinds: ServedKinds,
  { namespace }: ObjectName,
  { apiVersion, kind, name, uid }: ReturnType<typeof ownersOf>[number],
): Promise<boolean> {
  const served = kinds.named(apiVersion, kind)
  if (served === undefined) return false
  const target = { name, ...(served.namespaced && namespace && { namespace }) }
  const found = await client.resourceOf<ApiObject>(apiVersion, kind).find(target)
  return found?.metadata.uid === uid
}

/** The Event is a trace and no part of the change: whoever may not write Events is told. */
async function tell(object: KeptObject, restored: Omit<Restored, 'controller' | 'at'>): Promise<string> {
  const event = restoreEvent(object, { ...restored, controller: 'homeostat.dev/dashboard', at: Date.now() })
  const path = collectionPath({ group: 'events.k8s.io', version: 'v1', resource: 'events' }, event.metadata.namespace)
  try {
    await client.requestJson({ method: 'POST', path, headers: JSON_TYPE, body: writeJson(event) })
    return ''
  } catch (error) {
    return ` No Event tells of it: ${(error as Error).message}`
  }
}

/** Servers leave the kind out of some answers. */
function named(after: ApiObject, { apiVersion, kind }: KeptObject): KeptObject {
  return { ...after, apiVersion, kind }
}
