// What the data file looks like: its tables, its format version, and the few numbers beside the log.
// The writer calls it when it opens the file. A file of another format is refused, never guessed at.

import type { Revision } from '../contract.ts'
import type { Database } from './database.ts'

export const FORMAT = 1
export const DATA_FILE = 'homeostat.db'

const SCHEMA = `
  CREATE TABLE log (
    rev INTEGER PRIMARY KEY, key BLOB NOT NULL, prev_rev INTEGER NOT NULL, op INTEGER NOT NULL,
    encoding INTEGER NOT NULL, gap INTEGER NOT NULL, meta_end INTEGER NOT NULL, note BLOB NOT NULL,
    crc INTEGER NOT NULL, value BLOB
  );
  CREATE UNIQUE INDEX log_key ON log (key, rev, op);
  CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
`

export interface FileState {
  readonly uid: string
  readonly revision: Revision
  readonly horizon: Revision
}

/** Creates the tables in an empty file, or checks that the file is one this version can read. */
export function openFormat(db: Database, file: string): FileState {
  if (db.query('schema', "SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1").length === 0) createFormat(db)
  return readFormat(db, file)
}

/** The same without creating anything. */
export function readFormat(db: Database, file: string): FileState {
  const tables = db.query('schema', "SELECT name FROM sqlite_schema WHERE type = 'table'").map(([name]) => name)
  if (!tables.includes('meta') || !tables.includes('log')) throw new Error(`${file} is not a Homeostat store`)
  const format = readMeta(db, 'format')
  if (format !== FORMAT) {
    throw new Error(
      `${file} has format ${format}, but this version of Homeostat reads format ${FORMAT}; ` +
        'use the version that wrote it, or another data directory',
    )
  }
  return readState(db)
}

export function readState(db: Database): FileState {
  const horizon = Number(readMeta(db, 'horizon'))
  const newest = Number(db.query('schema', 'SELECT max(rev) FROM log')[0]?.[0] ?? 0)
  // A compacted deletion may have been the newest row, so the log alone does not tell the revision.
  return { uid: String(readMeta(db, 'uid')), revision: Math.max(newest, horizon), horizon }
}

export function readMeta(db: Database, name: string): unknown {
  return db.query('schema', 'SELECT value FROM meta WHERE name = ?', name)[0]?.[0]
}

function createFormat(db: Database): void {
  db.exec('begin', 'BEGIN IMMEDIATE')
  try {
    db.exec('schema', SCHEMA)
    const insert = db.prepare('schema', 'INSERT INTO meta (name, value) VALUES (?, ?)')
    const initial = { format: FORMAT, uid: crypto.randomUUID(), horizon: 0, compacted: 0, history_bytes: 0 }
    for (const [name, value] of Object.entries(initial)) insert.run(name, value)
    db.exec('commit', 'COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback', 'ROLLBACK')
    throw error
  }
}
