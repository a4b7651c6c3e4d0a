// A connection to the data file, through which every SQLite call of the driver goes: the seam for faults, and the
// one place that knows how a connection must be set up to be durable.

import { pathToFileURL } from 'node:url'
import type { FaultInjector, SqliteCall } from './fault.ts'
import { DatabaseSync, type SQLInputValue, type StatementSync } from './node-sqlite.ts'

export interface ConnectionOptions {
  readonly file: string
  /** An observer changes nothing, not even the WAL and its index. */
  readonly role: 'writer' | 'reader' | 'observer'
  /** For an observer: no process uses the file, so SQLite needs neither WAL nor index. */
  readonly immutable?: boolean
  readonly fault?: FaultInjector | undefined
  /** FULL unless given. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** Pages the file may have, as a small disk would allow. Unlimited unless given. */
  readonly maxPages?: number | undefined
}

export type Cell = null | number | bigint | string | Uint8Array
export type Row = readonly Cell[]

/** After a checkpoint: pages in the WAL, and those of them that the data file holds now. */
export interface WalSize {
  readonly pages: number
  readonly moved: number
}

/** SQLite truncates a WAL that grew larger to this size when it restarts it. */
export const WAL_SIZE_LIMIT = 32 << 20

const CACHE_KIB = { writer: 8000, reader: 1000, observer: 8000 }

export class Database {
  readonly #db: DatabaseSync
  readonly #fault: FaultInjector | undefined

  constructor(options: ConnectionOptions) {
    const { role, fault } = options
    this.#fault = fault
    this.#db = this.#around('open', () => new DatabaseSync(existing(options), { timeout: 5000 }))
    try {
      this.exec('pragma', `PRAGMA cache_size = -${CACHE_KIB[role]}; PRAGMA trusted_schema = OFF`)
      if (role === 'writer') this.#becomeWriter(options)
      else this.exec('pragma', 'PRAGMA query_only = ON; PRAGMA cell_size_check = ON')
      this.#becomeDurable(options)
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** False once SQLite has ended the transaction, by itself or on demand. */
  get inTransaction(): boolean {
    return this.#db.isTransaction
  }

  exec(call: SqliteCall, sql: string): void {
    this.#around(call, () => this.#db.exec(sql))
  }

  /** For a query that runs once; hot paths use `prepare`. Parameters are plain `?`: Node 22 cannot bind numbered ones. */
  query(call: SqliteCall, sql: string, ...values: SQLInputValue[]): Row[] {
    return this.prepare(call, sql).all(...values)
  }

  prepare(call: SqliteCall, sql: string): Statement {
    const statement = this.#around('prepare', () => this.#db.prepare(sql))
    statement.setReturnArrays(true)
    return new Statement(statement, call, this.#fault)
  }

  /** For a scan of the whole file, which should not fill the page cache. */
  withSmallCache<T>(run: () => T): T {
    this.exec('pragma', 'PRAGMA cache_size = -500')
    try {
      return run()
    } finally {
      this.exec('pragma', `PRAGMA cache_size = -${CACHE_KIB.writer}`)
    }
  }

  /** Moves as many pages of the WAL into the data file as readers allow, without waiting for them. */
  checkpoint(): WalSize {
    const [row] = this.query('checkpoint', 'PRAGMA wal_checkpoint(PASSIVE)')
    const [busy, pages, moved] = (row ?? []).map(Number)
    if (busy !== 0 || pages === undefined || moved === undefined) throw new Error('another checkpoint is under way')
    return { pages: Math.max(0, pages), moved: Math.max(0, moved) }
  }

  close(): void {
    this.#around('close', () => this.#db.close())
  }

  #becomeWriter({ maxPages }: ConnectionOptions): void {
    // auto_vacuum must come before the first table, and both before WAL mode writes the first page.
    this.exec('pragma', 'PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL')
    // No commit stops for a checkpoint; checkpoint-plan.ts says when there is one.
    this.exec('pragma', `PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT}`)
    if (maxPages !== undefined) this.exec('pragma', `PRAGMA max_page_count = ${maxPages}`)
  }

  /** Commits and checkpoints sync what they write. */
  #becomeDurable({ synchronous = 'FULL' }: ConnectionOptions): void {
    this.exec('pragma', `PRAGMA synchronous = ${synchronous}`)
    if (process.platform === 'darwin') this.exec('pragma', 'PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1')
  }

  #around<T>(call: SqliteCall, run: () => T): T {
    return this.#fault === undefined ? run() : this.#fault.around(call, run)
  }
}

export class Statement {
  readonly #statement: StatementSync
  readonly #call: SqliteCall
  readonly #fault: FaultInjector | undefined

  constructor(statement: StatementSync, call: SqliteCall, fault: FaultInjector | undefined) {
    this.#statement = statement
    this.#call = call
    this.#fault = fault
  }

  /** How many rows it changed. */
  run(...values: SQLInputValue[]): number {
    if (this.#fault === undefined) return Number(this.#statement.run(...values).changes)
    return this.#fault.around(this.#call, () => Number(this.#statement.run(...values).changes))
  }

  get(...values: SQLInputValue[]): Row | undefined {
    const row: unknown = this.#around(() => this.#statement.get(...values))
    return row as Row | undefined
  }

  all(...values: SQLInputValue[]): Row[] {
    const rows: unknown = this.#around(() => this.#statement.all(...values))
    return rows as Row[]
  }

  iterate(...values: SQLInputValue[]): IterableIterator<Row> {
    const rows: unknown = this.#around(() => this.#statement.iterate(...values))
    return rows as IterableIterator<Row>
  }

  #around<T>(run: () => T): T {
    return this.#fault === undefined ? run() : this.#fault.around(this.#call, run)
  }
}

/** The URL that opens an existing file only: if the file was removed, SQLite must not create an empty store. */
function existing({ file, role, immutable = false }: ConnectionOptions): URL {
  const url = pathToFileURL(file)
  url.searchParams.set('mode', role === 'observer' ? 'ro' : 'rw')
  if (immutable) url.searchParams.set('immutable', '1')
  return url
}

/** SQLite's primary result code of an error, 0 for any other error. */
export function sqliteCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : 0
}

export const SQLITE_BUSY = 5
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_NOTADB = 26
