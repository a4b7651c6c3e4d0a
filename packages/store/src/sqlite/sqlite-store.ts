// The store contract on SQLite: composes the writer thread, the write queue, reads and the change stream.
// It runs no SQL itself and never blocks the event loop.

import { join } from 'node:path'
import { ChangeStream } from '../changes/change-stream.ts'
import type {
  Change,
  Entry,
  HistoryOptions,
  Note,
  Range,
  Revision,
  Store,
  StoreHealth,
  StoreStats,
  Value,
  WholeEntry,
  WriteOutcome,
} from '../contract.ts'
import { CompactedError, FutureRevisionError, tooLong } from '../contract.ts'
import { HorizonKeeper } from '../history/horizon-keeper.ts'
import { BackgroundCheck } from './background-check.ts'
import { DataFiles, type LastingFiles } from './data-files.ts'
import { DATA_FILE } from './format.ts'
import type { DirectoryLock } from './lock.ts'
import { createWhole } from './new-file.ts'
import type { SqliteStoreOptions } from './options.ts'
import { Reads } from './reads.ts'
import { gapAround, type RevisionGap } from './revision-gaps.ts'
import { WriteQueue } from './write-queue.ts'
import { WriterThread } from './writer-thread.ts'

/** SQLite's own limit is a billion bytes for a row, which holds key and note besides. */
const MAX_VALUE_BYTES = 512 << 20

export class SqliteStore implements Store {
  readonly shared = false
  readonly maxValueBytes = MAX_VALUE_BYTES
  readonly #options: Required<SqliteStoreOptions>
  readonly #lock: DirectoryLock
  readonly #files: DataFiles
  readonly #writer: WriterThread
  readonly #queue: WriteQueue
  readonly #reads: Reads
  readonly #stream: ChangeStream
  readonly #keeper: HorizonKeeper
  readonly #check: BackgroundCheck
  #compactTimer: NodeJS.Timeout | undefined
  #horizon: Revision = 0
  #gaps: readonly RevisionGap[] = []
  #closing: Promise<void> | undefined

  private constructor(options: Required<SqliteStoreOptions>, lock: DirectoryLock, lasting: LastingFiles) {
    this.#options = options
    this.#lock = lock
    this.#files = new DataFiles(join(options.directory, DATA_FILE), lasting)
    this.#keeper = new HorizonKeeper({ ms: options.horizonMs, changes: options.horizonChanges })
    this.#stream = new ChangeStream(0, (after, upto) => this.#reads.changes(after, upto))
    this.#writer = new WriterThread(options, lasting, {
      onBatch: (reply) => this.#queue.settle(reply),
      onState: ({ revision }) => this.#stream.advance(revision),
      onLost: (error) => this.#queue.failWaiting(error),
      onCheckpointDue: () =>
        this.#reads.checkpoint().then(
          (wal) => this.#writer.checkpointed(wal),
          () => this.#writer.checkpointed(undefined),
        ),
      inFlight: () => this.#queue,
    })
    this.#queue = new WriteQueue({
      maxPending: options.maxPendingWrites,
      thread: () => this.#writer.handle,
      publish: (changes) => this.#stream.publish(changes),
    })
    this.#reads = new Reads({
      idleWriter: () => (this.#queue.busy ? undefined : this.#writer.idle),
      startReader: (onDeath) => this.#writer.startReader(onDeath),
      closeTimeoutMs: options.closeTimeoutMs,
    })
    this.#check = new BackgroundCheck({
      step: (position) => this.#reads.check(position),
      afterMs: options.checkAfterMs,
      everyMs: options.checkEveryMs,
      onDamage: options.onDamage,
    })
  }

  static async open(
    options: Required<SqliteStoreOptions>,
    lock: DirectoryLock,
    lasting: LastingFiles,
  ): Promise<SqliteStore> {
    const store = new SqliteStore(options, lock, lasting)
    const state = await store.#writer.opened
    store.#stream.advance(state.revision)
    store.#horizon = state.horizon
    store.#gaps = state.gaps
    for (const warning of state.warnings) options.onWarning(warning)
    store.#compactTimer = setInterval(() => void store.#keepHorizon(), options.compactEveryMs).unref()
    store.#keeper.next(performance.now(), state.revision)
    store.#check.start()
    return store
  }

  put(key: string, value: Value, expected: Entry | undefined, note: Note): Promise<WriteOutcome> {
    return this.#write(key, value, expected, note)
  }

  delete(key: string, expected: Entry, note: Note): Promise<WriteOutcome> {
    return this.#write(key, undefined, expected, note)
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#assertOpen()
    this.#writer.assertSettled((unsettled) => unsettled === key)
    return this.#reads.get(key, () => this.#stream.revision)
  }

  async range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range> {
    this.#assertOpen()
    if (options.revision === undefined) this.#writer.assertSettled((unsettled) => unsettled.startsWith(prefix))
    const revision = options.revision ?? this.#stream.revision
    this.#assertKept(revision)
    if (revision > this.#stream.revision) throw new FutureRevisionError(revision, this.#stream.revision)
    return this.#reads.range(prefix, options.after, options.limit, revision)
  }

  async readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision> {
    this.#assertOpen()
    this.#writer.assertSettled(() => true)
    const revision = this.#stream.revision
    await this.#reads.all(revision, take)
    return revision
  }

  async revision(): Promise<Revision> {
    this.#assertOpen()
    return this.#stream.revision
  }

  async history(key: string, options: HistoryOptions = {}): Promise<readonly Change[]> {
    this.#assertOpen()
    return this.#reads.history(key, this.#stream.revision, options)
  }

  async *changes(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    this.#assertOpen()
    this.#assertKept(after)
    yield* this.#stream.follow(after, signal)
  }

  async horizon(): Promise<Revision> {
    this.#assertOpen()
    return this.#horizon
  }

  async keptFrom(revision: Revision): Promise<Revision> {
    this.#assertOpen()
    return this.#keptFrom(revision)
  }

  async compact(revision: Revision): Promise<void> {
    this.#assertOpen()
    if (revision > this.#stream.revision) throw new FutureRevisionError(revision, this.#stream.revision)
    if (revision > this.#horizon) {
      await this.#writer.handle.request({ type: 'horizon', revision })
      this.#horizon = Math.max(this.#horizon, revision)
    }
    await this.#writer.handle.request({ type: 'compact' })
  }

  async backup(file: string): Promise<void> {
    this.#assertOpen()
    await createWhole(file, (partial) => this.#reads.backup(partial))
  }

  health(): StoreHealth {
    if (this.#closing !== undefined) return { writable: false, reason: 'the store is closed' }
    const damage = this.#check.summary
    const found = damage === undefined ? {} : { damage }
    const health = this.#writer.health()
    // Checked here too, so that health reports removed files before the next write fails.
    const reason = health.reason ?? this.#files.lastingTrouble()
    return reason === undefined ? { writable: true, ...found } : { writable: false, reason, ...found }
  }

  stats(): StoreStats {
    return { ...this.#queue.stats, damagedRecords: this.#check.count }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#compactTimer)
    this.#check.close()
    const tooLong = setTimeout(() => this.#writer.giveUp(), this.#options.closeTimeoutMs)
    await this.#queue.drained()
    clearTimeout(tooLong)
    this.#stream.close()
    await this.#reads.close()
    await this.#writer.close()
    this.#lock.release()
  }

  #write(key: string, value: Value | undefined, expected: Entry | undefined, note: Note): Promise<WriteOutcome> {
    const refusal = this.#refusal(key)
    if (refusal !== undefined) return Promise.resolve({ type: 'failed', error: new Error(refusal) })
    const excess = tooLong(value, this.maxValueBytes)
    if (excess !== undefined) return Promise.resolve(excess)
    return new Promise((resolve) => this.#queue.add({ key, value, expected, note, resolve }))
  }

  #refusal(key: string): string | undefined {
    if (this.#closing !== undefined) return 'the store is closed'
    // Half a surrogate pair has no bytes of its own, so two such keys would be one.
    if (!key.isWellFormed()) return `the key ${JSON.stringify(key)} is not well-formed text`
    return this.#writer.down
  }

  async #keepHorizon(): Promise<void> {
    const next = this.#keeper.next(performance.now(), this.#stream.revision)
    // Without new changes the writer still prunes history that has become too old.
    await this.compact(Math.max(next, this.#horizon)).catch(() => {})
  }

  #keptFrom(revision: Revision): Revision {
    return Math.max(gapAround(this.#gaps, revision)?.next ?? revision, this.#horizon)
  }

  #assertKept(revision: Revision): void {
    const kept = this.#keptFrom(revision)
    if (kept > revision) throw new CompactedError(revision, kept)
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new Error('the store is closed')
  }
}
