// Deletes records that no read can reach any more, a few revisions at a time between commits. Below the horizon it keeps
// the generations of each key as history, within limits of count, age and bytes. Runs on the writer thread.

import type { Revision } from '../contract.ts'
import { HistorySweep } from '../history/history-sweep.ts'
import { type HistoryLimits, historyLevel } from '../history/limits.ts'
import type { Database } from './database.ts'
import { HistorySizes, kindName } from './history-sizes.ts'
import { OP_DELETE, OP_MINOR } from './record.ts'

/** Larger steps would hold up commits noticeably. */
const STEP_REVISIONS = 100
/** Free pages worth giving back. */
const FREE_PAGES = 2000
/** How often history is looked through for what has become too old. */
const SWEEP_EVERY_MS = 6 * 60 * 60 * 1000

type Key = Uint8Array | null

export class Compactor {
  readonly #db: Database
  readonly #limits: HistoryLimits
  readonly #beforeCommit: () => void
  readonly #statements
  readonly #sizes: HistorySizes
  /** How far the sizes have been counted; undefined when they are known. */
  #counted: Revision | undefined
  #isLoaded = false
  #sweep: HistorySweep | undefined
  #nextSweep = 0

  /** `beforeCommit` throws when nothing may be written any more. */
  constructor(db: Database, limits: HistoryLimits, beforeCommit: () => void) {
    this.#db = db
    this.#limits = limits
    this.#beforeCommit = beforeCommit
    this.#sizes = new HistorySizes(db)
    const window = 'FROM log WHERE rev > ? AND rev <= ? ORDER BY rev LIMIT ?'
    this.#statements = {
      meta: db.prepare('compact', 'SELECT value FROM meta WHERE name = ?'),
      setMeta: db.prepare('compact', 'UPDATE meta SET value = ? WHERE name = ?'),
      rows: db.prepare(
        'compact',
        `SELECT rev, key, op, prev_rev, (SELECT p.op FROM log AS p WHERE p.rev = log.prev_rev) ${window}`,
      ),
      window: db.prepare('compact', `SELECT rev, key, op, note ${window}`),
      /** The newest row of a key that is one generation too many. */
      surplus: db.prepare(
        'compact',
        `SELECT rev FROM log WHERE key = ? AND rev <= ? AND op & ${OP_MINOR} = 0 ORDER BY rev DESC LIMIT 1 OFFSET ?`,
      ),
      upTo: db.prepare('compact', 'SELECT rev FROM log WHERE key = ? AND rev <= ?'),
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
    try {
      const done = this.#transaction(() => this.#run(horizon))
      return done && this.#giveBack()
    } catch (error) {
      // What was counted is rolled back with the rest.
      this.#isLoaded = false
      throw error
    }
  }

  #run(horizon: Revision): boolean {
    this.#load()
    const compacted = this.#meta('compacted')
    if (this.#counted !== undefined) {
      this.#countOn(this.#counted, compacted)
      return false
    }
    const done = compacted >= horizon && (!this.#sweepIsDue() || this.#sweepOn(horizon))
    if (compacted < horizon) this.#thinOut(compacted, horizon)
    this.#sizes.save()
    return done
  }

  #load(): void {
    if (this.#isLoaded) return
    this.#isLoaded = true
    this.#sweep = undefined
    this.#counted = undefined
    if (this.#sizes.load()) return
    this.#sizes.clear()
    this.#counted = 0
  }

  /** Counts the history that is there, once for a file whose sizes by kind are not known. */
  #countOn(from: Revision, compacted: Revision): void {
    const rows = this.#statements.window.all(from, compacted, STEP_REVISIONS)
    for (const [rev, key, op] of rows)
      if (this.#isHistory(key as Key, Number(rev), Number(op), compacted)) this.#sizes.add(key, Number(rev))
    const last = rows.at(-1)
    this.#counted = rows.length < STEP_REVISIONS || last === undefined ? undefined : Number(last[0])
    if (this.#counted === undefined) this.#sizes.save()
  }

  /** Gives free pages back to the file system, keeping some for the writes to come. */
  #giveBack(): boolean {
    if (Number(this.#statements.free.get()?.[0] ?? 0) < FREE_PAGES) return true
    this.#db.exec('compact', `PRAGMA incremental_vacuum(${STEP_REVISIONS})`)
    return false
  }

  /** What a row at or below the horizon has superseded becomes history, if it is worth it and the key has room. */
  #thinOut(from: Revision, horizon: Revision): void {
    const rows = this.#statements.rows.all(from, horizon, STEP_REVISIONS)
    for (const [rev, key, op, previous, before] of rows) {
      const isDelete = (Number(op) & OP_DELETE) !== 0
      const isMinor = (Number(op) & OP_MINOR) !== 0
      // A deletion keeps the state that it removed, whatever wrote it last.
      const isWorthIt = before !== null && ((Number(before) & OP_MINOR) === 0 || isDelete)
      if (Number(previous) > 0) {
        if (isWorthIt && this.#limits.perKey > 0) this.#sizes.add(key, Number(previous))
        else this.#statements.remove.run(Number(previous))
      }
      if (isDelete) this.#sizes.add(key, Number(rev))
      if (isDelete && isMinor) this.#removeUpTo(key as Key, Number(rev))
      else if (!isMinor) this.#removeSurplus(key as Key, Number(rev), isDelete)
    }
    const last = rows.length < STEP_REVISIONS ? horizon : Number(rows.at(-1)?.[0])
    this.#setMeta('compacted', last)
  }

  /** A deletion is history itself; any other newest row is the current generation and not counted. */
  #removeSurplus(key: Key, rev: Revision, isDelete: boolean): void {
    const keep = this.#limits.perKey + (isDelete ? 0 : 1)
    const surplus = this.#statements.surplus.get(key, rev, keep)
    if (surplus !== undefined) this.#removeUpTo(key, Number(surplus[0]))
  }

  #sweepIsDue(): boolean {
    if (this.#sweep !== undefined || historyLevel([...this.#sizes.kinds.values()], this.#limits) !== undefined)
      return true
    if (Date.now() < this.#nextSweep) return false
    this.#nextSweep = Date.now() + SWEEP_EVERY_MS
    return true
  }

  /** Drops the oldest history that is too old or too much, a window at a time; true at the end. */
  #sweepOn(horizon: Revision): boolean {
    this.#sweep ??= new HistorySweep(this.#sizes.kinds, this.#limits, Date.now())
    const sweep = this.#sweep
    const rows = this.#statements.window.all(sweep.through, horizon, STEP_REVISIONS)
    for (const [rev, key, op, note] of rows) {
      sweep.through = Number(rev)
      if (!this.#isHistory(key as Key, Number(rev), Number(op), horizon)) continue
      if (sweep.drops(kindName(key), timeOf(note))) this.#removeUpTo(key as Key, Number(rev))
      else if (sweep.isDone) break
    }
    if (rows.length === STEP_REVISIONS && !sweep.isDone) return false
    this.#sweep = undefined
    return true
  }

  /** Not the current state of its key. */
  #isHistory(key: Key, rev: Revision, op: number, horizon: Revision): boolean {
    return (op & OP_DELETE) !== 0 || this.#statements.superseded.get(key, rev, horizon) !== undefined
  }

  /** Drops history of a key up to this record. */
  #removeUpTo(key: Key, rev: Revision): void {
    for (const [old] of this.#statements.upTo.all(key, rev)) {
      this.#sizes.subtract(key, Number(old))
      this.#statements.remove.run(Number(old))
    }
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
