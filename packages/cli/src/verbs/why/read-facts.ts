// Reads what `why` needs: the Events of runs, and the histories of the object and of those that triggered its runs. What cannot
// be had is said; nothing of it is an error.

import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { parseRun, RUN_ANNOTATION, type RunRef } from '@homeostat/meta/events'
import { isNotServed } from '../../access/failure.ts'
import { type HistoryEntry, readHistory } from '../../access/history.ts'
import { findObject, listObjects } from '../../access/objects.ts'
import type { Place } from '../../access/paths.ts'
import type { ServedKinds } from '../../access/served-kinds.ts'
import { type Facts, type KnownObject, MAX_DEPTH, refKey, type ToldRun, triggeringObjects } from './story.ts'

const EVENTS: Place = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }
/** Histories that are read at most. */
const MAX_OBJECTS = 20

export interface ReadFacts extends Facts {
  /** What this server does not tell, as sentences. */
  readonly missing: readonly string[]
}

export async function readFacts(client: Client, kinds: ServedKinds, target: RunRef): Promise<ReadFacts> {
  const missing = new Set<string>()
  const objects = new Map<string, KnownObject>()
  const runs: ToldRun[] = []
  const namespaces = new Set<string>()
  let next: RunRef[] = [target]
  for (let depth = 0; depth < MAX_DEPTH && next.length > 0 && objects.size < MAX_OBJECTS; depth++) {
    for (const ref of next.slice(0, MAX_OBJECTS - objects.size)) {
      const { namespace = 'default' } = ref
      if (!namespaces.has(namespace)) {
        namespaces.add(namespace)
        runs.push(...(await readRuns(client, namespace, missing)))
      }
      objects.set(refKey(ref), { ref, entries: await readEntries(client, kinds, ref, missing, ref === target) })
    }
    const known = [...objects.values()].map(({ ref }) => ref)
    next = triggeringObjects(known, runs)
  }
  if (runs.length === 0)
    missing.add('no controller has told of a run within the last hour, which is how long Events stay')
  return { objects, runs, missing: [...missing] }
}

interface EventObject extends ApiObject {
  readonly regarding?: Partial<RunRef> | null
  readonly reportingController?: string
  readonly eventTime?: string | null
  readonly deprecatedSource?: { readonly component?: string }
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null
}

async function readRuns(client: Client, namespace: string, missing: Set<string>): Promise<ToldRun[]> {
  let events: EventObject[]
  try {
    events = await listObjects<EventObject>(client, EVENTS, { namespace })
  } catch (error) {
    if (!isStatusError(error, 'Forbidden')) throw error
    missing.add(`the Events of ${namespace} may not be read: which controllers ran is not known`)
    return []
  }
  return events.flatMap(({ metadata, regarding, reportingController, eventTime, series }) => {
    const record = parseRun(metadata.annotations?.[RUN_ANNOTATION])
    const { apiVersion, kind, name, namespace: place } = regarding ?? {}
    if (record === undefined || apiVersion === undefined || kind === undefined || name === undefined) return []
    const time = series?.lastObservedTime ?? eventTime ?? metadata.creationTimestamp ?? ''
    const object = { apiVersion, kind, name, ...(place && { namespace: place }) }
    return [{ controller: reportingController || 'a controller', object, time, count: series?.count ?? 1, record }]
  })
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

interface ManagedEntry {
  readonly manager?: string
  readonly time?: string
  readonly subresource?: string
}

/** What managed fields tell: when each manager last wrote. The revision is known of the newest alone. */
function managedEntries({ metadata }: ApiObject): HistoryEntry[] {
  const managers = ((metadata.managedFields ?? []) as readonly ManagedEntry[]).filter(({ subresource }) => !subresource)
  const sorted = managers.toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
  return sorted.map(({ manager, time }, index) => {
    const isLast = index === sorted.length - 1
    return {
      change: 'updated',
      resourceVersion: isLast ? (metadata.resourceVersion ?? '') : '',
      ...(isLast && metadata.generation !== undefined && { generation: metadata.generation }),
      ...(time !== undefined && { time }),
      ...(manager !== undefined && { manager }),
    }
  })
}
