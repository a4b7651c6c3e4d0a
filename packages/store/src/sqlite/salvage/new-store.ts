// The whole new store that a salvage writes: rows of the log as they were, under the old store's identity.

import type { Revision } from '../../contract.ts'
import { Database, type Row } from '../database.ts'
import { openFormat, setGaps } from '../format.ts'
import { createPrivate } from '../new-file.ts'
import type { RevisionGap } from '../revision-gaps.ts'
import { LOG_COLUMNS } from './log-row.ts'

const ROWS_PER_TRANSACTION = 1000

export interface NewStoreMeta {
  readonly uid: string
  readonly horizon: Revision
  readonly compacted: Revision
  readonly historyBytes: number
  readonly gaps: readonly RevisionGap[]
}

export class NewStore {
  readonly #db: Database
  readonly #insert
  readonly #find
  #pending = 0

  constructor(file: string) {
    createPrivate(file)
    this.#db = new Database({ file, role: 'writer' })
    openFormat(this.#db, file)
    const places = LOG_COLUMNS.split(', ').map(() => '?')
    this.#insert = this.#db.prepare(
      'insert',
      `INSERT OR IGNORE INTO log (${LOG_COLUMNS}) VALUES (${places.join(', ')})`,
    )
    this.#find = this.#db.prepare('read', 'SELECT 1 FROM log WHERE rev = ?')
  }

  add(row: Row): void {
    if (this.#pending === 0) this.#db.exec('begin', 'BEGIN IMMEDIATE')
    this.#insert.run(...row)
    if (++this.#pending === ROWS_PER_TRANSACTION) this.#commit()
  }

  has(revision: Revision): boolean {
    return this.#find.get(revision) !== undefined
  }

  get newest(): Revision {
    return this.#number('SELECT max(rev) FROM log')
  }

  /** How many keys have a value. */
  get objects(): number {
    return this.#number('SELECT count(*) FROM (SELECT op, max(rev) FROM log GROUP BY key) WHERE op & 1 = 0')
  }

  /** Revisions above this one, in order. */
  revisionsAfter(revision: Revision): Revision[] {
    return this.#db
      .query('read', 'SELECT rev FROM log WHERE rev > ? ORDER BY rev', revision)
      .map(([rev]) => Number(rev))
  }

  finish({ uid, horizon, compacted, historyBytes, gaps }: NewStoreMeta): void {
    this.#commit()
    const set = this.#db.prepare('schema', 'UPDATE meta SET value = ? WHERE name = ?')
    const values = { uid, horizon, compacted, history_bytes: historyBytes }
    for (const [name, value] of Object.entries(values)) set.run(value, name)
    setGaps(this.#db, gaps)
    // One file, with no log beside it that the move into place would leave behind.
    this.#db.exec('pragma', 'PRAGMA journal_mode = DELETE')
    this.#db.close()
  }

  /** Drops the unfinished store. */
  abandon(): void {
    this.#db.close()
  }

  #commit(): void {
    if (this.#pending > 0) this.#db.exec('commit', 'COMMIT')
    this.#pending = 0
  }

  #number(sql: string): number {
    return Number(this.#db.query('read', sql)[0]?.[0] ?? 0)
  }
}
