// Owns the writer's connection: commits batches and decides what a failure means. A failure before the commit is rolled
// back. After a failed commit it never retries the fsync: it closes the file, opens it again and reads it, because only
// that shows what is on disk. Runs on the writer thread.

import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Revision } from '../contract.ts'
import type { HistoryLimits } from '../history/limits.ts'
import { type BatchOutcome, BatchWriter } from './batch-writer.ts'
import type { Checkpoints } from './checkpoints.ts'
import { Compactor } from './compactor.ts'
import { namedDamage } from './damaged-file.ts'
import type { DataFiles } from './data-files.ts'
import { type ConnectionOptions, Database, SQLITE_BUSY, SQLITE_FULL, sqliteCode, type WalSize } from './database.ts'
import { type FileState, readSettledState, readState } from './format.ts'
import { repairKeyIndex } from './key-index.ts'
import { messageOf } from './message-of.ts'
import type { BatchReply } from './protocol.ts'
import type { RecordMemory } from './record.ts'
import type { RevisionGuard } from './revision-guard.ts'

/** Delays between the attempts to open the file again, after which the writes in flight are `unknown`. */
const REOPEN_WAITS_MS = [0, 50, 200]

/** After these a rollback is enough; anything else, such as an I/O error, makes the connection suspect. */
const HARMLESS = new Set([SQLITE_BUSY, SQLITE_FULL])

interface OpenLog {
  readonly db: Database
  readonly batch: BatchWriter
  readonly compactor: Compactor
}

export class LogWriter {
  readonly #connection: ConnectionOptions
  readonly #limits: HistoryLimits
  readonly #files: DataFiles
  readonly #checkpoints: Checkpoints
  readonly #guard: RevisionGuard
  #open: OpenLog | undefined
  #state: FileState
  /** Why the file could not be opened again. */
  #obstacle = ''
  /** What happened to the files; until they are back nothing is written. */
  #displaced: string | undefined

  constructor(
    connection: ConnectionOptions,
    limits: HistoryLimits,
    files: DataFiles,
    checkpoints: Checkpoints,
    guard: RevisionGuard,
  ) {
    this.#connection = connection
    this.#limits = limits
    this.#files = files
    this.#checkpoints = checkpoints
    this.#guard = guard
    const trouble = files.lastingTrouble()
    if (trouble !== undefined) throw new Error(trouble)
    const { db, state } = guard.open(() => openNamed(connection))
    try {
      this.#state = state
      repairKeyIndex(db, connection.file)
      this.#open = this.#prepare(db)
      checkpoints.found(files.walBytes)
    } catch (error) {
      closeQuietly(db)
      throw namedDamage(connection.file, error)
    }
  }

  get state(): FileState {
    return this.#state
  }

  /** False after an I/O error, or while the files are not there, until `reopen` works. */
  get usable(): boolean {
    return this.#open !== undefined && this.#displaced === undefined
  }

  get compactor(): Compactor {
    if (this.#open === undefined) throw new Error('the data file is closed after an I/O error')
    return this.#open.compactor
  }

  commit(memory: RecordMemory, count: number): BatchReply {
    if (this.#displaced !== undefined) return failed(this.#displaced)
    const open = this.#open
    if (open === undefined) return failed(`the data file cannot be opened again: ${this.#obstacle}`)
    try {
      this.#guard.cover(this.#state.revision + count)
    } catch (error) {
      return failed(`no revisions can be reserved: ${messageOf(error)}`)
    }
    let outcome: BatchOutcome
    try {
      outcome = open.batch.write(memory, count, this.#state.revision)
    } catch (error) {
      return this.#undo(open, error)
    }
    if (outcome.newest === this.#state.revision) {
      this.#undo(open, undefined)
      return reply(outcome)
    }
    this.#displaced = this.#files.troubleBeforeCommit()
    if (this.#displaced !== undefined) {
      this.#undo(open, undefined)
      return failed(this.#displaced)
    }
    try {
      open.batch.commit()
    } catch (error) {
      return sqliteCode(error) === SQLITE_FULL ? this.#afterFull(open, outcome, error) : this.#settle(outcome, error)
    }
    this.#checkpoints.wrote(outcome.pages)
    // Only now is it certain that the synced commit can be found again.
    this.#displaced = this.#files.trouble()
    if (this.#displaced !== undefined) return { type: 'failed', unknown: true, reason: this.#displaced }
    this.#state = { ...this.#state, revision: outcome.newest }
    return this.#acknowledge(outcome)
  }

  /** Writes a little and rolls it back, to find out whether writing works again. */
  probe(): void {
    if (this.#open === undefined) throw new Error('the data file is closed after an I/O error')
    const { db } = this.#open
    this.#undoing(() => {
      db.exec('begin', 'BEGIN IMMEDIATE')
      db.exec('insert', "INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', zeroblob(16384))")
      this.#assertInPlace()
      db.exec('commit', 'COMMIT')
      db.exec('insert', "DELETE FROM meta WHERE name = 'probe'")
    })
  }

  /** Opens the file again after an I/O error, or looks whether the files are back; true when writing can go on. */
  reopen(): boolean {
    if (this.#open !== undefined) return this.#resume(this.#open)
    let db: Database | undefined
    try {
      const trouble = this.#files.lastingTrouble()
      if (trouble !== undefined) throw new Error(trouble)
      const opened = this.#guard.open(() => new Database(this.#connection), this.#state.revision)
      db = opened.db
      // What was read may be in memory only, and what was refused may still lie in the WAL, to come back after a
      // crash. A full checkpoint writes and syncs the one and drops the other.
      const busy = db.query('checkpoint', 'PRAGMA wal_checkpoint(TRUNCATE)')[0]?.[0]
      if (busy !== 0) throw new Error('a reader holds the log')
      this.#checkpoints.reset()
      this.#open = this.#prepare(db)
      this.#state = opened.state
      return true
    } catch (error) {
      this.#obstacle = messageOf(error)
      if (db !== undefined) closeQuietly(db)
      return false
    }
  }

  /** Raises the horizon; it never falls. */
  setHorizon(revision: Revision): void {
    if (revision <= this.#state.horizon) return
    this.#undoing(() => this.compactor.setHorizon(revision))
    this.#checkpoints.wrote(1)
    this.#state = { ...this.#state, horizon: revision }
  }

  /** One chunk of compaction; true when there is nothing left to do. */
  compactStep(): boolean {
    const before = this.compactor.changes
    const done = this.#undoing(() => this.compactor.step(this.#state.horizon))
    this.#checkpoints.wrote(this.compactor.changes - before)
    return done
  }

  /** Checkpoints the rest of the WAL, so that the next commit restarts it. */
  checkpoint(): void {
    let size: WalSize | undefined
    try {
      size = this.#open?.db.checkpoint()
    } catch {
      // The pages stay in the WAL, from where they are read, and are moved later.
    }
    this.#checkpoints.finished(size)
  }

  close(): void {
    if (this.#open === undefined) return
    const { db } = this.#open
    this.#open = undefined
    this.#guard.close()
    try {
      // Files that are no longer this writer's are left alone.
      if (this.#files.trouble() === undefined) db.query('checkpoint', 'PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  }

  #acknowledge(outcome: BatchOutcome): BatchReply {
    this.#guard.acknowledge(outcome.newest)
    return reply(outcome)
  }

  /** The paths did not lead to the open files. Once they do again, the files hold what was written meanwhile. */
  #resume({ db }: OpenLog): boolean {
    try {
      this.#displaced = this.#files.trouble()
      if (this.#displaced !== undefined) return false
      this.#state = readSettledState(db)
      return true
    } catch {
      this.#abandon()
      return this.#tryReopen()
    }
  }

  #prepare(db: Database): OpenLog {
    this.#files.opened()
    this.#displaced = undefined
    const compactor = new Compactor(db, this.#limits, () => this.#assertInPlace())
    return { db, batch: new BatchWriter(db), compactor }
  }

  #assertInPlace(): void {
    this.#displaced = this.#files.troubleBeforeCommit()
    if (this.#displaced !== undefined) throw new Error(this.#displaced)
  }

  #undoing<T>(run: () => T): T {
    if (this.#displaced !== undefined) throw new Error(this.#displaced)
    try {
      return run()
    } catch (error) {
      if (this.#open !== undefined) this.#undo(this.#open, error)
      throw error
    }
  }

  /** Rolls the transaction back. It gives up a connection that had an I/O error or cannot roll back. */
  #undo({ batch }: OpenLog, error: unknown): BatchReply {
    let sound = error === undefined || this.#displaced !== undefined || HARMLESS.has(sqliteCode(error))
    try {
      batch.rollback()
    } catch {
      sound = false
    }
    if (!sound) {
      this.#abandon()
      this.#tryReopen()
    }
    return failed(messageOf(error))
  }

  /**
   * A full disk has no room for the commit record, and the connection stays sound: it is not opened anew, for that
   * needs room. SQLite may have ended the transaction by itself; then the log tells that nothing was added.
   */
  #afterFull(open: OpenLog, outcome: BatchOutcome, error: unknown): BatchReply {
    if (open.db.inTransaction) return this.#undo(open, error)
    try {
      this.#state = readState(open.db)
    } catch {
      return this.#settle(outcome, error)
    }
    return this.#state.revision >= outcome.newest ? this.#acknowledge(outcome) : failed(messageOf(error))
  }

  #settle(outcome: BatchOutcome, error: unknown): BatchReply {
    this.#abandon()
    if (!this.#tryReopen()) return { type: 'failed', unknown: true, reason: messageOf(error) }
    return this.#state.revision >= outcome.newest ? this.#acknowledge(outcome) : failed(messageOf(error))
  }

  #tryReopen(): boolean {
    for (const wait of REOPEN_WAITS_MS) {
      if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
      if (this.reopen()) return true
    }
    return false
  }

  #abandon(): void {
    if (this.#open !== undefined) closeQuietly(this.#open.db)
    this.#open = undefined
  }
}

/** SQLite does not say which file is no database, or whose disk is full. */
function openNamed(connection: ConnectionOptions): Database {
  try {
    return new Database(connection)
  } catch (cause) {
    const named = namedDamage(connection.file, cause)
    if (named !== cause) throw named
    const why = hasRoom(connection.file) ? messageOf(cause) : 'its disk is full'
    throw new Error(`${connection.file} cannot be opened: ${why}`, { cause })
  }
}

/** Beside the file SQLite needs an index of the WAL; without room for it, it speaks of an I/O error. */
function hasRoom(file: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize >= 64 << 10
}

function reply({ revisions, newest, conflicts }: BatchOutcome): BatchReply {
  return conflicts === undefined ? newest : { type: 'written', revisions, conflicts: conflicts.finish() }
}

function failed(reason: string): BatchReply {
  return { type: 'failed', unknown: false, reason }
}

function closeQuietly(db: Database): void {
  try {
    db.close()
  } catch {
    // The connection is given up; an error while closing it changes nothing.
  }
}
