// Reads the log in bounded steps. Runs on the thread that owns the connection; each step is one read transaction,
// and a long read is many of them, which is sound because the log above the horizon only grows.

import type { Revision } from '../contract.ts'
import type { Database, Row } from './database.ts'
import { readGaps } from './format.ts'
import { columns, PageMemory, PageWriter, ROW_WIDTH, rowKey } from './page.ts'
import type { LogRequest, RangeRequest, ReadAnswer } from './protocol.ts'
import { prefixEnd, type RangeBounds, rangeAnswer } from './range.ts'
import { readKeysOneByOne } from './read-one-by-one.ts'
import { DAMAGE, OP_COMMIT_START, OP_DELETE, OP_MINOR } from './record.ts'
import { passGap } from './revision-gaps.ts'

const STEP_ROWS = 1000
const STEP_BYTES = 1 << 20
const HISTORY_BYTES = 8 << 20

export class LogReader {
  readonly #db: Database
  readonly #memory = new PageMemory(64 * 1024)
  readonly #newest
  readonly #range
  readonly #changes
  readonly #history
  readonly #horizon
  readonly #begin
  readonly #end
  /** They change only before a store is open, while no reader exists. */
  readonly #gaps

  constructor(db: Database) {
    this.#db = db
    this.#gaps = readGaps(db)
    this.#newest = db.prepare(
      'read',
      `SELECT ${columns('log')} FROM log WHERE key = ? AND rev <= ? ORDER BY rev DESC LIMIT 1`,
    )
    this.#range = db.prepare(
      'read',
      `SELECT ${columns('l', 'c.key')}, c.rev FROM
        (SELECT key, max(rev) AS rev FROM log WHERE key >= ? AND key < ? AND rev <= ? GROUP BY key LIMIT ?) AS c
        LEFT JOIN log AS l ON l.rev = c.rev`,
    )
    const pairs = `SELECT ${columns('l')}, ${columns('p')} FROM log AS l LEFT JOIN log AS p ON p.rev = l.prev_rev`
    this.#changes = db.prepare('read', `${pairs} WHERE l.rev > ? AND l.rev <= ? ORDER BY l.rev`)
    this.#history = db.prepare(
      'read',
      `${pairs} WHERE l.key = ? AND l.rev <= ? AND l.op & ? = 0 ORDER BY l.rev DESC LIMIT ?`,
    )
    this.#horizon = db.prepare('read', "SELECT value FROM meta WHERE name = 'horizon'")
    this.#begin = db.prepare('begin', 'BEGIN')
    this.#end = db.prepare('rollback', 'ROLLBACK')
  }

  read(request: LogRequest): ReadAnswer {
    this.#begin.run()
    try {
      const horizon = Number(this.#horizon.get()?.[0] ?? 0)
      if (askedFrom(request) < horizon) return { page: new ArrayBuffer(0), done: true, compacted: horizon }
      switch (request.type) {
        case 'get':
          return this.#readNewest(Buffer.from(request.key), request.upto)
        case 'history':
          return this.#readHistory(request)
        case 'changes':
          return this.#readChanges(request.after, request.upto)
        default:
          return this.#readRange(request)
      }
    } finally {
      if (this.#db.inTransaction) this.#end.run()
    }
  }

  /** Adds the current record of a key, or a stand-in of revision 0 for an absent one. */
  addNewest(page: PageWriter, key: Uint8Array, upto: Revision = Number.MAX_SAFE_INTEGER): void {
    const row = this.#newest.get(key, upto)
    if (row === undefined || (Number(row[2]) & OP_DELETE) !== 0) page.addDamaged(0, key, DAMAGE.none)
    else page.add(row)
  }

  #readNewest(key: Uint8Array, upto: Revision): ReadAnswer {
    const page = new PageWriter({ memory: this.#memory })
    this.addNewest(page, key, upto)
    return { page: page.finish(), done: true }
  }

  #readRange(request: RangeRequest): ReadAnswer {
    const bounds: RangeBounds = {
      low: Buffer.from(
        request.after === undefined || request.after < request.prefix ? request.prefix : `${request.after}\0`,
      ),
      high: prefixEnd(Buffer.from(request.prefix)),
      revision: request.revision,
      limit: Math.min(request.limit, STEP_ROWS),
      filled: request.filled,
    }
    try {
      return this.#readRangeFast(bounds)
    } catch {
      // A page of the file is broken, but not its neighbours: read each record alone.
      return readKeysOneByOne(this.#db, bounds)
    }
  }

  #readRangeFast({ low, high, revision, limit, filled }: RangeBounds): ReadAnswer {
    const page = new PageWriter({ filled, memory: this.#memory })
    let seen = 0
    let last: Row | undefined
    for (const row of this.#range.iterate(low, high, revision, limit)) {
      seen++
      last = row
      if (row[0] === null) page.addDamaged(Number(row[ROW_WIDTH]), rowKey(row), DAMAGE.missing)
      else if ((Number(row[2]) & OP_DELETE) === 0) page.add(row)
      if (page.bytes > STEP_BYTES) break
    }
    return rangeAnswer(page, seen < limit && page.bytes <= STEP_BYTES, last === undefined ? undefined : rowKey(last))
  }

  #readChanges(after: Revision, upto: Revision): ReadAnswer {
    const page = new PageWriter({ memory: this.#memory })
    let through = passGap(this.#gaps, after)
    let rows = 0
    for (const row of this.#changes.iterate(after, upto)) {
      const startsCommit = (Number(row[2]) & OP_COMMIT_START) !== 0
      if (startsCommit && (rows >= STEP_ROWS || page.bytes > STEP_BYTES)) break
      if (row[0] !== through + 1) break
      addPair(page, row, true)
      through = passGap(this.#gaps, through + 1)
      rows++
    }
    if (rows === 0 && through < upto) throw new Error(`the log misses revision ${through + 1}`)
    return { page: page.finish(), done: through === upto, through }
  }

  /** Newest first, so that a limit keeps those. */
  #readHistory({ key, upto, steps, limit }: Extract<LogRequest, { type: 'history' }>): ReadAnswer {
    const page = new PageWriter({ memory: this.#memory })
    for (const row of this.#history.iterate(Buffer.from(key), upto, steps ? OP_MINOR : 0, limit ?? -1)) {
      addPair(page, row, false)
      if (limit !== undefined && page.bytes > HISTORY_BYTES) break
    }
    return { page: page.finish(), done: true }
  }
}

/** The oldest revision that the request reads: below the horizon it fails. History is not bound to the horizon. */
function askedFrom(request: LogRequest): Revision {
  if (request.type === 'range') return request.revision
  if (request.type === 'changes') return request.after
  return request.type === 'get' ? request.upto : Number.MAX_SAFE_INTEGER
}

/** Adds a change and the previous record of its key, which below the horizon may have been compacted. */
function addPair(page: PageWriter, row: Row, previousIsKept: boolean): void {
  page.add(row)
  const previous = Number(row[1])
  if (previous === 0) return
  const found = row[ROW_WIDTH] !== null
  if (!found && !previousIsKept) return
  page.expectPrevious()
  if (found) page.add(row.slice(ROW_WIDTH))
  else page.addDamaged(previous, rowKey(row), DAMAGE.missing)
}
