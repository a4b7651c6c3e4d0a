// Reads the history of an object from the server, and finds generations in it. The verbs history, diff, rollback, undelete
// and why call it.

import type { ApiObject, Client } from '@homeostat/client'
import { type HistoryEntry, labelOf, type ObjectHistory } from '@homeostat/meta/history'
import { Fault } from '../fault.ts'
import { objectPath } from './paths.ts'
import type { ServedKind } from './served-kinds.ts'

/** One object that a verb names. */
export interface HistoryOf {
  readonly kind: ServedKind
  readonly namespace: string | undefined
  readonly name: string
}

export async function readHistory(client: Client, { kind, namespace = '', name }: HistoryOf): Promise<ObjectHistory> {
  const path = objectPath(kind, namespace, name, 'history')
  return (await client.requestJson({ method: 'GET', path })) as ObjectHistory
}

/** The entry of the newest life that has this generation. */
export function generationOf(
  { lives }: ObjectHistory,
  wanted: string,
  name: string,
): HistoryEntry & { object: ApiObject } {
  const entries = lives.at(-1)?.entries ?? []
  const found = entries.findLast((entry) => entry.change !== 'deleted' && labelOf(entry) === wanted)
  const kept = entries.filter(({ change }) => change !== 'deleted').map(labelOf)
  if (found === undefined) {
    const there = kept.length === 0 ? 'none is kept' : `kept are ${kept.join(', ')}`
    throw new Fault(`${name} has no generation ${wanted} in its history; ${there}`)
  }
  const { object } = found
  if (object === undefined)
    throw new Fault(`generation ${wanted} of ${name} cannot be read: ${found.damage ?? 'it is damaged'}`)
  return { ...found, object }
}
