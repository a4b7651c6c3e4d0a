// What the data file looks like: its tables, its format version, and the few numbers beside the log.
// The writer calls it when it opens the file. It refuses a file of another format.

import type { Revision } from '../contract.ts'
import { SALVAGE_HINT } from './damaged-file.ts'
import type { Database } from './database.ts'
import { decodeGaps, encodeGaps, type RevisionGap } from './revision-gaps.ts'

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
  readonly gaps: readonly RevisionGap[]
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
  const names = db.query('schema', 'SELECT name FROM meta').map(([name]) => name)
  const missing = Object.keys(initialMeta('')).find((name) => !names.includes(name))
  if (missing !== undefined) throw new Error(`${file} is damaged: its table meta has no ${missing}; ${SALVAGE_HINT}`)
  const format = readMeta(db, 'format')
  if (format !== FORMAT) {
    throw new Error(
      `${file} has format ${format}, but this version of Homeostat reads format ${FORMAT}; ` +
        'use the version that wrote it, or another data directory',
    )
  }
  return readState(db)
}

/** False for a file that is not a store yet. */
export function hasTables(db: Database): boolean {
  return Number(db.query('schema', 'SELECT count(*) FROM sqlite_schema')[0]?.[0]) > 0
}

export function readState(db: Database): FileState {
  const horizon = Number(readMeta(db, 'horizon'))
  const newest = Number(db.query('schema', 'SELECT max(rev) FROM log')[0]?.[0] ?? 0)
  const gaps = readGaps(db)
  // A compacted deletion may have been the newest row, so the log alone does not tell the revision.
  const revision = Math.max(newest, horizon, gaps.at(-1)?.next ?? 0)
  return { uid: String(readMeta(db, 'uid')), revision, horizon, gaps }
}

/** The state after any commit in flight: a process that lost the directory to this writer may still be committing. */
export function readSettledState(db: Database): FileState {
  db.exec('begin', 'BEGIN IMMEDIATE')
  try {
    return readState(db)
  } finally {
    if (db.inTransaction) db.exec('rollback', 'ROLLBACK')
  }
}

export function readGaps(db: Database): RevisionGap[] {
  return decodeGaps(readMeta(db, 'gaps'))
}

export function setGaps(db: Database, gaps: readonly RevisionGap[]): void {
  db.query('schema', "INSERT OR REPLACE INTO meta (name, value) VALUES ('gaps', ?)", encodeGaps(gaps))
}

export function readMeta(db: Database, name: string): unknown {
  return db.query('schema', 'SELECT value FROM meta WHERE name = ?', name)[0]?.[0]
}

function createFormat(db: Database): void {
  db.exec('begin', 'BEGIN IMMEDIATE')
  try {
    db.exec('schema', SCHEMA)
    const insert = db.prepare('schema', 'INSERT INTO meta (name, value) VALUES (?, ?)')
    for (const [name, value] of Object.entries(initialMeta(crypto.randomUUID()))) insert.run(name, value)
    db.exec('commit', 'COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('rollback', 'ROLLBACK')
    throw error
  }
}

function initialMeta(uid: string): Record<string, string | number> {
  return { format: FORMAT, uid, horizon: 0, compacted: 0, history_bytes: 0 }
}
