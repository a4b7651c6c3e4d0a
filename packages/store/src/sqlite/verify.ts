// Checks every record of a file for damage, one bounded step at a time: each row against its checksum, its entry in the
// index and its previous version; then each entry of the index against its row. A restore, the background check and
// `homeostat check` call it. It changes nothing, and reports what cannot be read instead of failing.

import type { DamagedRecord, Revision } from '../contract.ts'
import { type Database, type Row, SQLITE_CORRUPT, SQLITE_IOERR, sqliteCode } from './database.ts'
import { columns, PageWriter, ROW_WIDTH, rowKey } from './page.ts'
import { OP_DELETE } from './record.ts'
import { damageText, unpackEntries } from './unpack.ts'

const STEP_ROWS = 500
const STEP_BYTES = 1 << 20

/** Where a check goes on: after this revision, then after this entry of the index. */
export type CheckPosition =
  | { readonly pass: 'records'; readonly revision: Revision }
  | { readonly pass: 'index'; readonly revision: Revision; readonly key: Uint8Array }

export const CHECK_START: CheckPosition = { pass: 'records', revision: 0 }

export interface CheckStep {
  readonly damaged: readonly DamagedRecord[]
  readonly records: number
  readonly bytes: number
  /** Absent at the end. */
  readonly next: CheckPosition | undefined
}

/** One read transaction, so that a compaction meanwhile is not taken for damage. */
export function checkStep(db: Database, position: CheckPosition): CheckStep {
  db.exec('begin', 'BEGIN')
  try {
    return position.pass === 'records' ? checkRecords(db, position.revision) : checkIndex(db, position)
  } finally {
    if (db.inTransaction) db.exec('rollback', 'ROLLBACK')
  }
}

/** The damaged records of a whole file, at most `most`. */
export function damagedRecords(db: Database, most: number): DamagedRecord[] {
  const damaged: DamagedRecord[] = []
  for (let at: CheckPosition | undefined = CHECK_START; at !== undefined && damaged.length < most; ) {
    const step: CheckStep = checkStep(db, at)
    damaged.push(...step.damaged)
    at = step.next
  }
  return damaged.slice(0, most)
}

const INDEX_START: CheckPosition = { pass: 'index', revision: 0, key: new Uint8Array(0) }

const CHECKED = `SELECT ${columns('l')},
  EXISTS (SELECT 1 FROM log AS x INDEXED BY log_key WHERE x.key = l.key AND x.rev = l.rev AND x.op = l.op),
  (SELECT CASE WHEN x.op & ${OP_DELETE} THEN 0 ELSE x.rev END FROM log AS x INDEXED BY log_key
    WHERE x.key = l.key AND x.rev < l.rev ORDER BY x.rev DESC LIMIT 1)
  FROM log AS l NOT INDEXED`

function checkRecords(db: Database, after: Revision): CheckStep {
  const horizon = horizonOf(db)
  const damaged: DamagedRecord[] = []
  let [last, records, bytes] = [after, 0, 0]
  try {
    for (const row of db.prepare('read', `${CHECKED} WHERE l.rev > ? ORDER BY l.rev`).iterate(after)) {
      damaged.push(...problemsOf(row, horizon))
      last = Number(row[0])
      records++
      bytes += sizeOf(row)
      if (records >= STEP_ROWS || bytes >= STEP_BYTES)
        return { damaged, records, bytes, next: { pass: 'records', revision: last } }
    }
  } catch (error) {
    assertDamage(error)
    const rest = checkOneByOne(db, last, horizon)
    return { ...rest, damaged: [...damaged, ...rest.damaged], records: records + rest.records }
  }
  return { damaged, records, bytes, next: INDEX_START }
}

/** A page of the table is broken. The index still names what lies on it and behind it. */
function checkOneByOne(db: Database, after: Revision, horizon: Revision): CheckStep {
  const damaged: DamagedRecord[] = []
  let entries: Row[]
  try {
    entries = db.query(
      'read',
      `SELECT rev, key FROM log INDEXED BY log_key WHERE rev > ? ORDER BY rev LIMIT ${STEP_ROWS}`,
      after,
    )
  } catch (error) {
    assertDamage(error)
    const problem = `no record after revision ${after} can be found: table and index cannot be read`
    return { damaged: [{ revision: after + 1, key: undefined, problem }], records: 0, bytes: 0, next: undefined }
  }
  let last = after
  for (const [rev, key] of entries) {
    last = Number(rev)
    try {
      const [row] = db.query('read', `${CHECKED} WHERE l.rev = ?`, last)
      // The pass over the index finds a missing row.
      if (row !== undefined) damaged.push(...problemsOf(row, horizon))
    } catch (error) {
      assertDamage(error)
      damaged.push({ revision: last, key: textOf(key), problem: damageText('unreadable', last) })
    }
  }
  const next: CheckPosition = entries.length < STEP_ROWS ? INDEX_START : { pass: 'records', revision: last }
  return { damaged, records: entries.length, bytes: STEP_BYTES, next }
}

function problemsOf(row: Row, horizon: Revision): DamagedRecord[] {
  const [revision, previous] = [Number(row[0]), Number(row[1])]
  const [found, before] = [row[ROW_WIDTH], row[ROW_WIDTH + 1]]
  const damaged = (problem: string) => [{ revision, key: textOf(rowKey(row)), problem }]
  const page = new PageWriter()
  page.add(row)
  const damage = unpackEntries(page.finish())[0]?.damage
  if (damage !== undefined) return damaged(damage)
  if (found !== 1) return damaged('its key is not in the index')
  // Compaction may have deleted the previous version of a key at or below the horizon, and kept older ones as history.
  const isForgotten = previous <= horizon && Number(before ?? 0) < previous
  if (!isForgotten && Number(before ?? 0) !== previous)
    return damaged(`it follows revision ${previous}, but its key held ${before ?? 'nothing'} before`)
  return []
}

function checkIndex(db: Database, after: CheckPosition & { pass: 'index' }): CheckStep {
  let entries: Row[]
  try {
    entries = db.query(
      'read',
      `SELECT x.key, x.rev, l.rev, l.key = x.key FROM log AS x INDEXED BY log_key
        LEFT JOIN (SELECT rev, key FROM log NOT INDEXED) AS l ON l.rev = x.rev
        WHERE (x.key, x.rev) > (?, ?) ORDER BY x.key, x.rev LIMIT ${STEP_ROWS}`,
      after.key,
      after.revision,
    )
  } catch (error) {
    assertDamage(error)
    const problem = 'the index, or a record that it names, cannot be read'
    return { damaged: [{ revision: 0, key: textOf(after.key), problem }], records: 0, bytes: 0, next: undefined }
  }
  const damaged: DamagedRecord[] = []
  for (const [key, rev, row, isSame] of entries) {
    const revision = Number(rev)
    if (row === null) damaged.push({ revision, key: textOf(key), problem: damageText('missing', revision) })
    else if (isSame !== 1) damaged.push({ revision, key: textOf(key), problem: 'the index has another key for it' })
  }
  const last = entries.at(-1)
  const next: CheckPosition | undefined =
    entries.length < STEP_ROWS || last === undefined
      ? undefined
      : { pass: 'index', revision: Number(last[1]), key: bytesOf(last[0]) }
  return { damaged, records: 0, bytes: entries.length * 64, next }
}

/** Rethrows an error that says nothing about the file, such as a lock. */
function assertDamage(error: unknown): void {
  const code = sqliteCode(error)
  if (code !== SQLITE_CORRUPT && code !== SQLITE_IOERR) throw error
}

function horizonOf(db: Database): Revision {
  return Number(db.query('read', "SELECT value FROM meta WHERE name = 'horizon'")[0]?.[0] ?? 0)
}

function sizeOf(row: Row): number {
  const body = row[ROW_WIDTH - 1]
  return body instanceof Uint8Array ? body.length : 0
}

function bytesOf(cell: unknown): Uint8Array {
  return cell instanceof Uint8Array ? cell : Buffer.from(String(cell ?? ''))
}

function textOf(cell: unknown): string {
  return Buffer.from(bytesOf(cell)).toString()
}
