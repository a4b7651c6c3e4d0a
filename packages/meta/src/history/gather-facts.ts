// Gathers what `why` needs: the Events of runs, and the histories of the object and of those that triggered its runs. Who calls it
// brings a reader, which says what cannot be had.

import { parseRun, RUN_ANNOTATION, type RunRef } from '../event/run-record.ts'
import type { HistoryEntry, KeptObject } from './entry.ts'
import { type Facts, type KnownObject, MAX_DEPTH, refKey, type ToldRun, triggeringObjects } from './story.ts'

/** Histories that are read at most. */
const MAX_OBJECTS = 20

export interface FactReader {
  /** The Events (events.k8s.io/v1) of a namespace. */
  events(namespace: string): Promise<readonly KeptObject[]>
  /** Oldest first. The target's are of the object that was asked for. */
  entries(ref: RunRef, isTarget: boolean): Promise<readonly HistoryEntry[]>
}

export async function gatherFacts(reader: FactReader, target: RunRef): Promise<Facts> {
  const objects = new Map<string, KnownObject>()
  const runs: ToldRun[] = []
  const namespaces = new Set<string>()
  let next: RunRef[] = [target]
  for (let depth = 0; depth < MAX_DEPTH && next.length > 0 && objects.size < MAX_OBJECTS; depth++) {
    for (const ref of next.slice(0, MAX_OBJECTS - objects.size)) {
      const { namespace = 'default' } = ref
      if (!namespaces.has(namespace)) {
        namespaces.add(namespace)
        runs.push(...(await reader.events(namespace)).flatMap(toldRuns))
      }
      objects.set(refKey(ref), { ref, entries: await reader.entries(ref, ref === target) })
    }
    const known = [...objects.values()].map(({ ref }) => ref)
    next = triggeringObjects(known, runs)
  }
  return { objects, runs }
}

interface EventFields {
  readonly regarding?: Partial<RunRef> | null
  readonly reportingController?: string
  readonly eventTime?: string | null
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null
}

function toldRuns(event: KeptObject): ToldRun[] {
  const { metadata, regarding, reportingController, eventTime, series } = event as KeptObject & EventFields
  const record = parseRun(metadata.annotations?.[RUN_ANNOTATION])
  const { apiVersion, kind, name, namespace: place } = regarding ?? {}
  if (record === undefined || apiVersion === undefined || kind === undefined || name === undefined) return []
  const time = series?.lastObservedTime ?? eventTime ?? metadata.creationTimestamp ?? ''
  const object = { apiVersion, kind, name, ...(place && { namespace: place }) }
  return [{ controller: reportingController || 'a controller', object, time, count: series?.count ?? 1, record }]
}

interface ManagedEntry {
  readonly manager?: string
  readonly time?: string
  readonly subresource?: string
}

/** What managed fields tell where no history is kept: when each manager last wrote. The revision is known of the newest alone. */
export function managedEntries({ metadata }: KeptObject): HistoryEntry[] {
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
