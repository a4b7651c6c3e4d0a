// Makes sure, when a file is opened, that every row of the log can be found by its key. A changed byte in the index would
// otherwise hide an object, which looks to clients like a deletion. The index is rebuilt from the rows whose checksum holds.
// Damaged rows do not count: only the index knows their keys, and reads report them as damaged.

import { SALVAGE_HINT } from './damaged-file.ts'
import type { Database } from './database.ts'
import { columns, PageWriter } from './page.ts'
import { unpackEntries } from './unpack.ts'

export function repairKeyIndex(db: Database, file: string): void {
  const unfindable = db.withSmallCache(() => soundButUnfindable(db))
  if (unfindable === 0) return
  try {
    assertRebuildable(db, unfindable)
    db.exec('schema', 'REINDEX log_key')
  } catch (cause) {
    throw new Error(`${file} is damaged: objects cannot be found by their names; ${SALVAGE_HINT}`, { cause })
  }
}

/** How many sound rows are not in the index as they are in the table. */
function soundButUnfindable(db: Database): number {
  let unfindable: number[]
  try {
    unfindable = db
      .query(
        'schema',
        `SELECT rev FROM log AS l NOT INDEXED WHERE NOT EXISTS
          (SELECT 1 FROM log AS x INDEXED BY log_key WHERE x.key = l.key AND x.rev = l.rev AND x.op = l.op)`,
      )
      .map(([rev]) => Number(rev))
  } catch {
    // Some page cannot be read. If it belongs to the table, reads report the records on it.
    return !canRead(db, 'NOT INDEXED') || canRead(db, 'INDEXED BY log_key') ? 0 : Number.POSITIVE_INFINITY
  }
  return unfindable.filter((rev) => isSoundRow(db, rev)).length
}

function canRead(db: Database, how: 'NOT INDEXED' | 'INDEXED BY log_key'): boolean {
  try {
    db.query('schema', `SELECT count(*), max(key) FROM log ${how}`)
    return true
  } catch {
    return false
  }
}

function isSoundRow(db: Database, rev: number): boolean {
  const page = new PageWriter()
  for (const row of db.query('schema', `SELECT ${columns('log')} FROM log NOT INDEXED WHERE rev = ?`, rev))
    page.add(row)
  return unpackEntries(page.finish()).some((entry) => entry !== undefined && entry.damage === undefined)
}

/** Not if the tree itself is broken, nor if rows are missing from the table: then only the index knows their keys. */
function assertRebuildable(db: Database, unfindable: number): void {
  const broken = db.query('schema', 'PRAGMA quick_check(1)')[0]?.[0]
  if (broken !== 'ok') throw new Error(String(broken))
  const [orphans] = db.query(
    'schema',
    `SELECT count(*) FROM log AS x INDEXED BY log_key WHERE NOT EXISTS
      (SELECT 1 FROM log AS l NOT INDEXED WHERE l.rev = x.rev)`,
  )
  if (Number(orphans?.[0]) > unfindable) throw new Error('records are missing')
}
