// Commits one batch of conditional writes in one transaction on the writer's connection.
// It decides conflicts; what a failure means is decided by its caller, log-writer.ts.

import type { Revision } from '../contract.ts'
import { pagesOf } from './checkpoints.ts'
import type { Database } from './database.ts'
import { LogReader } from './log-reader.ts'
import { PageWriter } from './page.ts'
import {
  checksum,
  HEADER_BYTES,
  OP_COMMIT_START,
  OP_DELETE,
  placeRecord,
  type RecordMemory,
  readHeader,
  recordBytes,
} from './record.ts'

export interface BatchOutcome {
  /** The revision of each write, 0 for a conflict. */
  readonly revisions: number[]
  readonly newest: Revision
  /** About how many pages it changed. */
  readonly pages: number
  /** The current record of each conflict, in order. */
  readonly conflicts: PageWriter | undefined
}

export class BatchWriter {
  readonly #db: Database
  readonly #reader: LogReader
  readonly #begin
  readonly #holds
  readonly #insert
  readonly #commit

  constructor(db: Database) {
    this.#db = db
    this.#reader = new LogReader(db)
    this.#begin = db.prepare('begin', 'BEGIN IMMEDIATE')
    // Two plain statements: one INSERT that also looks at its own table would go through a temporary one.
    this.#holds = db.prepare(
      'read',
      `SELECT CASE WHEN op & ${OP_DELETE} THEN 0 ELSE rev END FROM log WHERE key = ? ORDER BY rev DESC LIMIT 1`,
    )
    this.#insert = db.prepare('insert', 'INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#commit = db.prepare('commit', 'COMMIT')
  }

  /** Writes everything but the commit, so that the caller knows on which side of it a failure was. */
  write(memory: RecordMemory, count: number, newest: Revision): BatchOutcome {
    this.#begin.run()
    const revisions: number[] = []
    let last = newest
    let conflicts: PageWriter | undefined
    let at = 0
    for (let index = 0; index < count; index++) {
      const header = readHeader(memory, at)
      const length = recordBytes(header)
      const revision = last + 1
      const op = last === newest ? header.op | OP_COMMIT_START : header.op
      placeRecord(memory, at, revision, op)
      const keyAt = at + HEADER_BYTES
      const noteAt = keyAt + header.keyLength
      const valueAt = noteAt + header.noteLength
      const key = memory.bytes.subarray(keyAt, noteAt)
      if (header.previous === (this.#holds.get(key)?.[0] ?? 0)) {
        this.#insert.run(
          revision,
          key,
          header.previous,
          op,
          header.encoding,
          header.gap,
          header.metaEnd,
          memory.bytes.subarray(noteAt, valueAt),
          checksum(memory, at, length),
          (op & OP_DELETE) === 0 ? memory.bytes.subarray(valueAt, at + length) : null,
        )
        last = revision
        revisions.push(revision)
      } else {
        conflicts ??= new PageWriter()
        this.#reader.addNewest(conflicts, key)
        revisions.push(0)
      }
      at += length
    }
    return { revisions, newest: last, pages: pagesOf(last - newest, at), conflicts }
  }

  commit(): void {
    this.#commit.run()
  }

  rollback(): void {
    if (this.#db.inTransaction) this.#db.exec('rollback', 'ROLLBACK')
  }
}
