// Finds out whether a write whose answer was lost has been applied. Every record names the one that it replaced, so the
// records of a key are a chain; the one that replaced what the write expected either is the write's, or another's took its
// place for good. The writer calls it after the same transaction was refused.

import type { KeyValue } from './client/contract.ts'
import { decodeRecord, isWrittenAs, type WriteId } from './record.ts'
import type { Session } from './session.ts'
import type { KeyState } from './write.ts'

/** Longer chains within the time in which an answer is settled do not occur. */
const MAX_STEPS = 10_000

/** The etcd revision that the write made, or undefined if it made none. Throws when the past is not there to tell. */
export async function appliedAt(
  session: Session,
  key: string,
  id: WriteId,
  base: number,
  state: KeyState,
): Promise<number | undefined> {
  let record = newestOf(state)
  for (let step = 0; step < MAX_STEPS && record !== undefined && record.modRevision > base; step++) {
    if (isWrittenAs(record.value, id)) return record.modRevision
    const { previous, damage } = decodeRecord(record.value)
    if (damage !== undefined) throw new Error(`the record of ${key} cannot be trusted: ${damage}`)
    if (previous <= base) return undefined
    record = await recordAt(session, key, previous)
  }
  return undefined
}

/** The record of that etcd revision, as the state of the key at `at` has it: below the horizon that is the horizon's. */
export async function recordAt(
  { client, layout }: Session,
  key: string,
  revision: number,
  at = revision,
): Promise<KeyValue | undefined> {
  const [object, deletion] = await Promise.all([
    client.range({ key: layout.object(key), revision: at }),
    client.range({ key: layout.deleted(key), revision: at }),
  ])
  return [object.kvs[0], deletion.kvs[0]].find((kv) => kv?.modRevision === revision)
}

export function newestOf({ object, deletion }: KeyState): KeyValue | undefined {
  if (object === undefined) return deletion
  return (deletion?.modRevision ?? 0) > object.modRevision ? deletion : object
}
