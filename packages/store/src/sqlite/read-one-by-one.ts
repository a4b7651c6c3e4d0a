// Reads a range record by record when the file is damaged, so that one broken page costs only its own records.
// A key whose record cannot be read is named as damaged, never left out.

import type { Database } from './database.ts'
import { columns, PageWriter } from './page.ts'
import type { ReadAnswer } from './protocol.ts'
import { type RangeBounds, rangeAnswer } from './range.ts'
import { DAMAGE, OP_DELETE } from './record.ts'

export function readKeysOneByOne(db: Database, { low, high, revision, limit, filled }: RangeBounds): ReadAnswer {
  // The index alone knows keys, revisions and operations; no record is touched here.
  const keys = db.query(
    'read',
    `SELECT key, rev, op FROM log AS l WHERE key >= ? AND key < ?
      AND rev = (SELECT max(rev) FROM log WHERE key = l.key AND rev <= ?) ORDER BY key LIMIT ?`,
    low,
    high,
    revision,
    limit,
  )
  const page = new PageWriter({ filled })
  let lastKey: Uint8Array | undefined
  for (const [key, rev, op] of keys) {
    lastKey = key instanceof Uint8Array ? key : Buffer.from(String(key))
    if ((Number(op) & OP_DELETE) === 0) addRecord(db, page, lastKey, Number(rev))
  }
  return rangeAnswer(page, keys.length < limit, lastKey)
}

function addRecord(db: Database, page: PageWriter, key: Uint8Array, revision: number): void {
  try {
    const wanted = `SELECT ${columns('log', 'wanted.key')} FROM (SELECT ? AS key) AS wanted, log WHERE log.rev = ?`
    const [row] = db.query('read', wanted, key, revision)
    if (row === undefined) page.addDamaged(revision, key, DAMAGE.missing)
    else page.add(row)
  } catch {
    page.addDamaged(revision, key, DAMAGE.unreadable)
  }
}
