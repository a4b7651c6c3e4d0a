// Reads what `why` needs from a server. What cannot be had is said; nothing of it is an error.

import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { RunRef } from '@homeostat/meta/events'
import { type Facts, gatherFacts, type HistoryEntry, managedEntries } from '@homeostat/meta/history'
import { isNotServed } from '../../access/failure.ts'
import { readHistory } from '../../access/history.ts'
import { findObject, listObjects } from '../../access/objects.ts'
import type { Place } from '../../access/paths.ts'
import type { ServedKinds } from '../../access/served-kinds.ts'

const EVENTS: Place = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }

export interface ReadFacts extends Facts {
  /** What this server does not tell, as sentences. */
  readonly missing: readonly string[]
}

export async function readFacts(client: Client, kinds: ServedKinds, target: RunRef): Promise<ReadFacts> {
  const missing = new Set<string>()
  const facts = await gatherFacts(
    {
      events: (namespace) => readEvents(client, namespace, missing),
      entries: (ref, isTarget) => readEntries(client, kinds, ref, missing, isTarget),
    },
    target,
  )
  if (facts.runs.length === 0)
    missing.add('no controller has told of a run within the last hour, which is how long Events stay')
  return { ...facts, missing: [...missing] }
}

async function readEvents(client: Client, namespace: string, missing: Set<string>): Promise<readonly ApiObject[]> {
  try {
    return await listObjects<ApiObject>(client, EVENTS, { namespace })
  } catch (error) {
    if (!isStatusError(error, 'Forbidden')) throw error
    missing.add(`the Events of ${namespace} may not be read: which controllers ran is not known`)
    return []
  }
}

async function readEntries(
  client: Client,
  kinds: ServedKinds,
  ref: RunRef,
  missing: Set<string>,
  isTarget: boolean,
): Promise<readonly HistoryEntry[]> {
  const kind = kinds.of(ref.apiVersion, ref.kind)
  if (kind === undefined) return []
  const { namespace, name } = ref
  try {
    const { lives } = await readHistory(client, { kind, namespace, name })
    return lives.flatMap(({ entries }) => entries)
  } catch (error) {
    if (isStatusError(error, 'Forbidden')) missing.add(`the history of ${ref.kind} may not be read: ${error.message}`)
    else if (isNotServed(error))
      missing.add('this server keeps no history: who changed an object is known by its field managers alone')
    else if (!isStatusError(error, 'NotFound')) throw error
    else if (isTarget) throw error
    else return []
  }
  const object = await findObject<ApiObject>(client, kind, namespace ?? '', name)
  return object === undefined ? [] : managedEntries(object)
}
