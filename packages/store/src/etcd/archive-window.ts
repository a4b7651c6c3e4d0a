// Reads what happened in a part of the log, by key, with the records as etcd has them. The compactor calls it before etcd
// forgets them; it decides nothing.

import type { WindowVersion } from './archive-plan.ts'
import type { KeyValue, WatchEvent } from './client/contract.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { scan } from './scan.ts'
import type { Session } from './session.ts'

export interface ArchiveWindow {
  /** Oldest first; the state before the window comes first, if there was one. */
  readonly keys: ReadonlyMap<string, readonly WindowVersion[]>
  /** The etcd revision up to which it is complete. */
  readonly through: number
}

/** Bounds what is held in memory at a time. */
const MAX_EVENTS = 5000
const MAX_BYTES = 16 << 20

export async function readWindow(session: Session, after: number, upto: number): Promise<ArchiveWindow> {
  const { client, layout, signal } = session
  const keys = new Map<string, WindowVersion[]>()
  let events = 0
  let bytes = 0
  let deletion: KeyValue | undefined
  const add = (version: WindowVersion) => {
    const versions = keys.get(version.key)
    if (versions === undefined) keys.set(version.key, [version])
    else if (versions.every(({ revision }) => revision !== version.revision)) versions.push(version)
    bytes += version.size
  }
  const take = (event: WatchEvent) => {
    const area = layout.areaOf(event.kv.key)
    if (area === 'deleted') deletion = event.kv
    if (area !== 'object') return
    const key = layout.nameIn('object', event.kv.key)
    if (event.previous !== undefined && !keys.has(key)) add(versionOf(key, event.previous))
    if (event.type === 'put') add(versionOf(key, event.kv))
    else add(deletionOf(session, key, event, deletion))
    events++
  }
  const range = { range: layout.watched, from: after + 1, upto, previous: true, signal }
  const through = await scan(client, range, (some) => {
    for (const event of some) take(event)
    return events < MAX_EVENTS && bytes < MAX_BYTES
  })
  return { keys, through }
}

/** A deletion that somebody made without the store has no record of its own. */
function deletionOf(session: Session, key: string, { kv }: WatchEvent, record: KeyValue | undefined): WindowVersion {
  const isOwn = record?.modRevision === kv.modRevision && session.layout.nameIn('deleted', record.key) === key
  if (isOwn) return versionOf(key, record)
  const note = { time: 0, user: '', manager: '' }
  const empty = encodeRecord({ id: { store: session.id, count: 0 }, previous: 0, note, value: undefined })
  return versionOf(key, { ...kv, value: Buffer.concat(empty) })
}

function versionOf(key: string, { modRevision, value }: KeyValue): WindowVersion {
  const { isDeletion, note } = decodeRecord(value)
  return {
    key,
    revision: modRevision,
    isDeletion,
    isMinor: note.minor ?? false,
    time: note.time,
    size: value.length,
    record: [value],
  }
}
