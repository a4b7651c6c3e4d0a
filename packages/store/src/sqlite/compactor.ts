// Deletes records that no read can reach any more, a few revisions at a time between commits. Below the horizon it keeps
// the newest versions of each key as history, within limits of count, age and bytes. Runs on the writer thread.

import type { Revision } from '../contract.ts'
import type { Database } from './database.ts'
import type { HistoryLimits } from './protocol.ts'
import { OP_DELETE } from './record.ts'

/** Larger steps would hold up commits noticeably. */
const STEP_REVISIONS = 100
/** Free pages worth giving back. */
const FREE_PAGES = 2000
/** How often history is looked through for what has become too old. */
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1000

export class Compactor {
  readonly #db: Database
  readonly #limits: HistoryLimits
  readonly #beforeCommit: () => void
  readonly #statements
  /** The position of the current sweep; 0 when there is none. */
  #sweptThrough: Revision = 0
  #nextSweep = 0

  /** `beforeCommit` throws when nothing may be written any more. */
  constructor(db: Database, limits: HistoryLimits, beforeCommit: () => void) {
    this.#db = db
    this.#limits = limits
    this.#beforeCommit = beforeCommit
    this.#statements = {
      meta: db.prepare('compact', 'SELECT value FROM meta WHERE name = ?'),
      setMeta: db.prepare('compact', 'UPDATE meta SET value = ? WHERE name = ?'),
      rows: db.prepare(
        'compact',
        'SELECT rev, key, op, prev_rev FROM log WHERE rev > ? AND rev <= ? ORDER BY rev LIMIT ?',
      ),
      size: db.prepare(
        'compact',
        'SELECT length(key) + length(note) + coalesce(length(value), 0) FROM log WHERE rev = ?',
      ),
      surplus: db.prepare(
        'compact',
        'SELECT rev FROM log WHERE key = ? AND rev <= ? ORDER BY rev DESC LIMIT -1 OFFSET ?',
      ),
      window: db.prepare(
        'compact',
        'SELECT rev, key, op, note FROM log WHERE rev > ? AND rev <= ? ORDER BY rev LIMIT ?',
      ),
      superseded: db.prepare('compact', 'SELECT 1 FROM log WHERE key = ? AND rev > ? AND rev <= ? LIMIT 1'),
      changes: db.prepare('compact', 'SELECT total_changes()'),
      free: db.prepare('compact', 'PRAGMA freelist_count'),
      remove: db.prepare('compact', 'DELETE FROM log WHERE rev = ?'),
    }
  }

  /** Rows changed on this connection so far, also by others than this class. */
  get changes(): number {
    return Number(this.#statements.changes.get()?.[0] ?? 0)
  }

  /** Reads below the horizon fail from now on; the records are deleted later. */
  setHorizon(revision: Revision): void {
    this.#transaction(() => this.#setMeta('horizon', revision))
  }

  /** One chunk; true when there is nothing left to do for this horizon. */
  step(horizon: Revision): boolean {
    const done = this.#transaction(() => {
      const from = this.#meta('compacted')
      if (from < horizon) {
        this.#thinOut(from, horizon)
        return false
      }
      return !this.#sweepIsDue() || this.#sweep(horizon)
    })
    return done && this.#giveBack()
  }

  /** Gives free pages back to the file system, keeping some for the writes to come. */
  #giveBack(): boolean {
    if (Number(this.#statements.free.get()?.[0] ?? 0) < FREE_PAGES) return true
    this.#db.exec('compact', `PRAGMA incremental_vacuum(${STEP_REVISIONS})`)
    return false
  }

  /** What a row at or below the horizon has superseded becomes history, as far as there is room for the key. */
  #thinOut(from: Revision, horizon: Revision): void {
    const rows = this.#statements.rows.all(from, horizon, STEP_REVISIONS)
    let history = this.#meta('history_bytes')
    for (const [rev, key, op, previous] of rows) {
      const isDelete = (Number(op) & OP_DELETE) !== 0
      if (Number(previous) > 0) history += this.#size(Number(previous))
      if (isDelete) history += this.#size(Number(rev))
      // A deletion is history itself; any other newest row is the current state and not counted.
      const keep = this.#limits.perKey + (isDelete ? 0 : 1)
      for (const [old] of this.#statements.surplus.all(key ?? null, Number(rev), keep))
        history -= this.#remove(Number(old))
    }
    this.#setMeta('history_bytes', Math.max(0, history))
    const last = rows.length < STEP_REVISIONS ? horizon : Number(rows.at(-1)?.[0])
    this.#setMeta('compacted', last)
  }

  #sweepIsDue(): boolean {
    if (this.#sweptThrough > 0 || this.#meta('history_bytes') > this.#limits.bytes) return true
    if (Date.now() < this.#nextSweep) return false
    this.#nextSweep = Date.now() + SWEEP_EVERY_MS
    return true
  }

  /** Drops the oldest history that is too old or too much, a window at a time; true at the end. */
  #sweep(horizon: Revision): boolean {
    const tooOld = Date.now() - this.#limits.ageMs
    let history = this.#meta('history_bytes')
    const rows = this.#statements.window.all(this.#sweptThrough, horizon, STEP_REVISIONS)
    let done = rows.length < STEP_REVISIONS
    for (const [rev, key, op, note] of rows) {
      this.#sweptThrough = Number(rev)
      if ((Number(op) & OP_DELETE) === 0 && !this.#statements.superseded.get(key ?? null, Number(rev), horizon))
        continue
      if (history <= this.#limits.bytes && timeOf(note) >= tooOld) {
        done = true
        break
      }
      history -= this.#remove(Number(rev))
    }
    if (done) this.#sweptThrough = 0
    this.#setMeta('history_bytes', Math.max(0, history))
    return done
  }

  #remove(rev: Revision): number {
    const size = this.#size(rev)
    this.#statements.remove.run(rev)
    return size
  }

  #size(rev: Revision): number {
    return Number(this.#statements.size.get(rev)?.[0] ?? 0)
  }

  #meta(name: string): number {
    return Number(this.#statements.meta.get(name)?.[0] ?? 0)
  }

  #setMeta(name: string, value: number): void {
    this.#statements.setMeta.run(value, name)
  }

  #transaction<T>(run: () => T): T {
    this.#db.exec('begin', 'BEGIN IMMEDIATE')
    const result = run()
    this.#beforeCommit()
    this.#db.exec('commit', 'COMMIT')
    return result
  }
}

function timeOf(note: unknown): number {
  const text = note instanceof Uint8Array ? Buffer.from(note).toString() : '[0]'
  return Number(/^\[(\d+)/.exec(text)?.[1] ?? 0)
}
