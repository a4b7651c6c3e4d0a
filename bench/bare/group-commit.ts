// One inline SQLite transaction for all writes of a tick, as durable as the real store: WAL, synchronous=FULL.
// The bare servers for writes use it. A write is called back after its transaction is on disk.

import { DatabaseSync } from 'node:sqlite'

export class GroupCommit {
  readonly #database: DatabaseSync
  readonly #insert
  readonly #point
  #queued: { key: string; revision: number; value: string; then: () => void }[] = []
  #revision = 0

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec('PRAGMA journal_mode = WAL')
    this.#database.exec('PRAGMA synchronous = FULL')
    // As the real store has it: a checkpoint more often would make this one look slow.
    this.#database.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 33554432')
    this.#database.exec('CREATE TABLE log (revision INTEGER PRIMARY KEY, key TEXT, value TEXT)')
    this.#database.exec('CREATE TABLE current (key TEXT PRIMARY KEY, revision INTEGER) WITHOUT ROWID')
    this.#insert = this.#database.prepare('INSERT INTO log (revision, key, value) VALUES (?, ?, ?)')
    this.#point = this.#database.prepare('INSERT OR REPLACE INTO current (key, revision) VALUES (?, ?)')
  }

  nextRevision(): number {
    return ++this.#revision
  }

  write(key: string, revision: number, value: string, then: () => void): void {
    if (this.#queued.length === 0) setImmediate(() => this.#commit())
    this.#queued.push({ key, revision, value, then })
  }

  #commit(): void {
    const batch = this.#queued
    this.#queued = []
    this.#database.exec('BEGIN IMMEDIATE')
    for (const { key, revision, value } of batch) {
      this.#insert.run(revision, key, value)
      this.#point.run(key, revision)
    }
    this.#database.exec('COMMIT')
    for (const { then } of batch) then()
  }
}
