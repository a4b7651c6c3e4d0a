// The history of one name as the API shows it: the generations that the store kept, grouped by uid, since a name may be used
// again. Pure; the handler of the subresource `history` calls it.

import { type KubeObject, rfc3339 } from '@homeostat/meta'
import type { Change, Note } from '@homeostat/store'

export interface HistoryEntry {
  /** Absent for kinds without one; their entries are known by resourceVersion. */
  readonly generation?: number
  readonly resourceVersion: string
  readonly change: 'created' | 'updated' | 'deleting' | 'deleted'
  /** Who wrote it, when, and as which field manager. Absent when only the current state is left of the generation. */
  readonly time?: string
  readonly user?: string
  readonly manager?: string
  readonly current?: true
  /** Why the record cannot be read. */
  readonly damage?: string
  /** The object as it was, without managed fields; of a deletion what was removed. */
  readonly object?: KubeObject
}

export interface ObjectLife {
  readonly uid: string
  readonly entries: readonly HistoryEntry[]
}

export interface ObjectHistory {
  readonly apiVersion: 'homeostat.dev/v1'
  readonly kind: 'ObjectHistory'
  readonly metadata: { readonly name: string; readonly namespace?: string }
  /** Oldest first; the last one is the newest. */
  readonly lives: readonly ObjectLife[]
}

export interface HistoryParts {
  readonly name: string
  readonly namespace: string | undefined
  /** Oldest first, without minor ones. */
  readonly changes: readonly Change[]
  readonly current: KubeObject | undefined
  /** Reads a stored value as the version that was asked for. */
  read(value: NonNullable<Change['value']>, revision: number): KubeObject
}

interface OpenLife {
  readonly uid: string
  readonly entries: HistoryEntry[]
}

export function objectHistory(parts: HistoryParts): ObjectHistory {
  const { name, namespace, current } = parts
  const lives: OpenLife[] = []
  for (const change of parts.changes) addChange(lives, change, parts)
  if (current !== undefined) markCurrent(lives, current)
  return {
    apiVersion: 'homeostat.dev/v1',
    kind: 'ObjectHistory',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    lives,
  }
}

function addChange(lives: OpenLife[], change: Change, { read }: HistoryParts): void {
  const { op, revision, note, previous, damage } = change
  const held = op === 'delete' ? previous : change
  const object = held?.value === undefined ? undefined : readable(read(held.value, held.revision))
  const life = lifeOf(lives, object?.metadata.uid)
  const generation = object?.metadata.generation
  // An older version kept every status write; what matters of a generation is its first.
  if (op === 'put' && generation !== undefined && life.entries.at(-1)?.generation === generation) return
  life.entries.push({
    ...(generation !== undefined && { generation }),
    resourceVersion: String(revision),
    change: op === 'delete' ? 'deleted' : kindOfChange(object, note, life.entries.length === 0),
    ...whoOf(note),
    ...(damage !== undefined && { damage }),
    ...(object && { object }),
  })
}

/** A record that cannot be read belongs to the life it was found in. */
function lifeOf(lives: OpenLife[], uid: string | undefined): OpenLife {
  const last = lives.at(-1)
  if (last !== undefined && (uid === undefined || last.uid === uid)) return last
  const life = { uid: uid ?? '', entries: [] }
  lives.push(life)
  return life
}

function kindOfChange(object: KubeObject | undefined, { time }: Note, isFirst: boolean): HistoryEntry['change'] {
  if (object?.metadata.deletionTimestamp !== undefined) return 'deleting'
  const isNew = object?.metadata.generation === 1 || object?.metadata.creationTimestamp === rfc3339(time)
  return isFirst && isNew ? 'created' : 'updated'
}

/** The first write of the current generation may be older than what is kept. */
function markCurrent(lives: OpenLife[], object: KubeObject): void {
  const life = lifeOf(lives, object.metadata.uid)
  const { generation, resourceVersion = '' } = object.metadata
  const last = life.entries.at(-1)
  if (last !== undefined && last.generation === generation)
    life.entries[life.entries.length - 1] = { ...last, current: true }
  else {
    life.entries.push({
      ...(generation !== undefined && { generation }),
      resourceVersion,
      change: 'updated',
      current: true,
      object: readable(object),
    })
  }
}

/** A damaged record has no note. */
function whoOf({ time, user, manager }: Note): Pick<HistoryEntry, 'time' | 'user' | 'manager'> {
  return time === 0 ? {} : { time: rfc3339(time), user, manager }
}

function readable(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
