// The store contract on etcd: composes the live watch, writes, reads, replays and the compactor. Several servers open it on
// the same prefix; it never needs another of them.

import type {
  Change,
  ChangesOptions,
  Entry,
  Fence,
  HistoryOptions,
  Note,
  Range,
  Revision,
  Store,
  StoreHealth,
  StoreMeasure,
  StoreStats,
  Value,
  WholeEntry,
  WriteOutcome,
} from '../contract.ts'
import { Compactor } from './compactor.ts'
import { EtcdHealthCheck } from './health-check.ts'
import { Horizon } from './horizon.ts'
import { keyHistory } from './key-history.ts'
import { LiveWatch, type LiveWatchStart } from './live-watch.ts'
import { measuresOf } from './measures.ts'
import { NewestQuestion } from './newest-question.ts'
import { Reads } from './reads.ts'
import { Replay } from './replay.ts'
import type { Session } from './session.ts'
import type { HorizonState } from './store-meta.ts'
import { Writer } from './writer.ts'

const NO_FENCES: readonly Fence[] = []

export class EtcdStore implements Store {
  readonly shared = true
  readonly #session: Session
  readonly #live: LiveWatch
  readonly #writer: Writer
  readonly #newest: NewestQuestion
  readonly #horizon: Horizon
  readonly #reads: Reads
  readonly #replay: Replay
  readonly #compactor: Compactor
  readonly #check: EtcdHealthCheck
  #closing: Promise<void> | undefined

  constructor(session: Session, start: LiveWatchStart & { readonly horizon: HorizonState }) {
    this.#session = session
    this.#horizon = new Horizon(session, start.horizon)
    this.#writer = new Writer(session)
    const { own, deletions } = this.#writer
    this.#live = new LiveWatch(
      session,
      start,
      this.#horizon,
      { own: (record) => own.take(record), onDeletion: (key, revision) => deletions.learn(key, revision) },
      (after, upto) => this.#replay.readLog(after, upto),
    )
    this.#newest = new NewestQuestion(session, this.#live)
    this.#reads = new Reads(session, this.#live, this.#newest, this.#horizon)
    this.#replay = new Replay(session, this.#reads)
    this.#compactor = new Compactor(session, this.#live, this.#horizon)
    this.#check = new EtcdHealthCheck(session, this.#live, this.#compactor)
    this.#live.start()
    this.#compactor.start()
    this.#check.start()
  }

  get maxValueBytes(): number {
    return this.#writer.maxValueBytes
  }

  put(
    key: string,
    value: Value,
    expected: Entry | undefined,
    note: Note,
    fences: readonly Fence[] = NO_FENCES,
  ): Promise<WriteOutcome> {
    return this.#writer.write(key, value, expected, note, fences)
  }

  delete(key: string, expected: Entry, note: Note, fences: readonly Fence[] = NO_FENCES): Promise<WriteOutcome> {
    return this.#writer.write(key, undefined, expected, note, fences)
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#session.assertOpen()
    return this.#reads.get(key)
  }

  async range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range> {
    this.#session.assertOpen()
    return this.#reads.range(prefix, options)
  }

  async readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision> {
    this.#session.assertOpen()
    return this.#reads.readAll(take)
  }

  async revision(): Promise<Revision> {
    this.#session.assertOpen()
    return (await this.#newest.ask()).revision
  }

  async history(key: string, options: HistoryOptions = {}): Promise<readonly Change[]> {
    this.#session.assertOpen()
    return keyHistory(this.#session, key, this.#horizon, options)
  }

  async *changes(
    after: Revision,
    signal: AbortSignal,
    { previous = true }: ChangesOptions = {},
  ): AsyncGenerator<readonly Change[], void, undefined> {
    try {
      this.#session.assertOpen()
      await this.#reads.assertKnown(after)
    } catch (error) {
      // Of a session that has ended nothing is kept: a follower that tried again would do so for ever.
      throw await this.#reads.compacted(error, after)
    }
    if (previous) yield* this.#replay.follow(after, signal)
    else yield* this.#live.stream.follow(after, signal)
  }

  async horizon(): Promise<Revision> {
    this.#session.assertOpen()
    return this.#reads.horizon()
  }

  async keptFrom(revision: Revision): Promise<Revision> {
    this.#session.assertOpen()
    return this.#reads.keptFrom(revision)
  }

  async compact(revision: Revision): Promise<void> {
    this.#session.assertOpen()
    if (revision > this.#reads.horizon()) await this.#reads.assertKnown(revision)
    await this.#compactor.compact(this.#session.etcdRevision(revision))
  }

  async backup(file: string): Promise<void> {
    this.#session.assertOpen()
    const { backupTo } = await import('./backup.ts')
    await backupTo(file, this.#session, this.#reads)
  }

  health(): StoreHealth {
    if (this.#session.isClosed) return { writable: false, reason: 'the store is closed' }
    return this.#check.health()
  }

  stats(): StoreStats {
    return { ...this.#writer.stats, damagedRecords: 0 }
  }

  measures(): readonly StoreMeasure[] {
    return measuresOf(this.#session.client.stats(), this.#writer.settled, this.#check)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#session.refuse()
    this.#check.close()
    await this.#writer.drained()
    this.#session.close()
    await this.#compactor.close()
    await this.#live.close()
    await this.#session.client.close()
  }
}
