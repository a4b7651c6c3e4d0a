// Reads the history of an object, and what `why` tells of it. What this server does not have is said, and is no failure.

import type { ApiObject } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import type { RunRef } from '@homeostat/meta/events'
import {
  type Facts,
  gatherFacts,
  type HistoryEntry,
  managedEntries,
  type ObjectHistory,
  type Step,
  tellStory,
} from '@homeostat/meta/history'
import { client } from '../../../connection/client.ts'
import { apiVersionOf, collectionPath, type Kind, type ObjectName, objectPath } from '../../../kinds/kind.ts'
import type { ServedKinds } from '../../../kinds/served-kinds.ts'

/** The server keeps no history: it is another's, or older. */
export class NoHistory extends Error {}

export async function readHistory(kind: Kind, of: ObjectName, signal?: AbortSignal): Promise<ObjectHistory> {
  try {
    const path = `${objectPath(kind, of)}/history`
    return (await client.requestJson({ method: 'GET', path, ...(signal && { signal }) })) as ObjectHistory
  } catch (error) {
    if (isStatusError(error, 'NotFound') && !error.status.details?.name)
      throw new NoHistory('This server keeps no history of its objects.', { cause: error })
    throw error
  }
}

export interface Story {
  readonly steps: readonly Step[]
  readonly missing: readonly string[]
}

export async function readStory(kinds: ServedKinds, kind: Kind, of: ObjectName, signal: AbortSignal): Promise<Story> {
  const { namespace, name } = of
  const ref: RunRef = { apiVersion: apiVersionOf(kind), kind: kind.kind, name, ...(namespace && { namespace }) }
  const missing = new Set<string>()
  const facts: Facts = await gatherFacts(
    {
      events: (place) => readEvents(place, missing, signal),
      entries: (one) => readEntries(kinds, one, missing, signal),
    },
    ref,
  )
  if (facts.runs.length === 0)
    missing.add('No controller has told of a run within the last hour, which is how long Events stay.')
  return { steps: tellStory(ref, facts), missing: [...missing] }
}

async function readEvents(namespace: string, missing: Set<string>, signal: AbortSignal): Promise<readonly ApiObject[]> {
  try {
    const path = collectionPath({ group: 'events.k8s.io', version: 'v1', resource: 'events' }, namespace)
    const { items } = (await client.requestJson({ method: 'GET', path: `${path}?limit=5000`, signal })) as {
      items: ApiObject[]
    }
    return items
  } catch (error) {
    if (!isStatusError(error, 'Forbidden')) throw error
    missing.add(`You may not read the Events of ${namespace}: which controllers ran is not known.`)
    return []
  }
}

async function readEntries(
  kinds: ServedKinds,
  ref: RunRef,
  missing: Set<string>,
  signal: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const kind = kinds.named(ref.apiVersion, ref.kind)
  if (kind === undefined) return []
  const { namespace, name } = ref
  try {
    const { lives } = await readHistory(kind, { namespace, name }, signal)
    return lives.flatMap(({ entries }) => entries)
  } catch (error) {
    if (error instanceof NoHistory)
      missing.add('This server keeps no history: who changed an object is known by its field managers alone.')
    else if (isStatusError(error, 'Forbidden')) missing.add(`You may not read the history of ${ref.kind}.`)
    else if (isStatusError(error, 'NotFound')) return []
    else throw error
  }
  const calls = client.resourceOf<ApiObject>(ref.apiVersion, ref.kind)
  const object = await calls.find({ name, ...(namespace && { namespace }) }, { signal })
  return object === undefined ? [] : managedEntries(object)
}
