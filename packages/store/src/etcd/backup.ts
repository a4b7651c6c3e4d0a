// Writes the newest state, and each object's last change, into a file of the SQLite store, which `homeostat restore` and
// `homeostat up` understand. Older versions are not in it. The store loads it when a backup is asked for.

import { crc32 } from 'node:zlib'
import { createWhole } from '../sqlite/new-file.ts'
import { ENCODING_PLAIN, HEADER_BYTES, OP_COMMIT_START, OP_MINOR, recordMemory, writeHeader } from '../sqlite/record.ts'
import { NewStore } from '../sqlite/salvage/new-store.ts'
import type { KeyValue } from './client/contract.ts'
import { pages } from './pages.ts'
import type { Reads } from './reads.ts'
import { decodeRecord } from './record.ts'
import type { Session } from './session.ts'

export async function backupTo(file: string, session: Session, reads: Reads): Promise<void> {
  await createWhole(file, async (partial) => {
    const store = new NewStore(partial)
    try {
      const { revision, passed } = await reads.newest()
      for await (const { kvs } of pages(session.client, session.layout.under('object', ''), { revision: passed }))
        for (const kv of kvs) store.add(rowOf(session, kv))
      const uid = crypto.randomUUID()
      store.finish({ uid, horizon: revision, compacted: revision, historyBytes: 0, gaps: [] })
    } catch (error) {
      store.abandon()
      throw error
    }
  })
}

/** A row of the SQLite store's log, with its checksum. */
function rowOf(session: Session, kv: KeyValue): Parameters<NewStore['add']>[0] {
  const key = Buffer.from(session.layout.nameIn('object', kv.key))
  const { value, note, damage } = decodeRecord(kv.value)
  if (value === undefined) throw new Error(`${key} cannot be backed up: ${damage ?? 'it holds no object'}`)
  const text = Buffer.from(JSON.stringify([note.time, note.user, note.manager]))
  const revision = session.revisionOf(kv.modRevision)
  const op = OP_COMMIT_START | (note.minor ? OP_MINOR : 0)
  const { bytes, gap, metaEnd } = value
  const header = recordMemory(new ArrayBuffer(HEADER_BYTES))
  writeHeader(header, 0, {
    revision,
    previous: 0,
    op,
    encoding: ENCODING_PLAIN,
    gap,
    metaEnd,
    keyLength: key.length,
    noteLength: text.length,
    valueLength: bytes.length,
  })
  const checksum = [key, text, bytes].reduce((sum, part) => crc32(part, sum), crc32(header.bytes))
  return [revision, key, 0, op, ENCODING_PLAIN, gap, metaEnd, text, checksum, bytes]
}
