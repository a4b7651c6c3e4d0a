// The store contract in plain memory, for tests and trials. It loses everything when the process ends.
// It commits the writes of one turn of the event loop as one batch, as a durable driver does.

import type { LogPage } from '../changes/change-stream.ts'
import { ChangeStream } from '../changes/change-stream.ts'
import type {
  Change,
  Entry,
  Fence,
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
import { CompactedError, compareKeys, FutureRevisionError, tooLong } from '../contract.ts'
import { keptVersions } from '../history/kept-versions.ts'
import { type HistoryLimits, historyLevel, kindOfKey } from '../history/limits.ts'
import { dumpLines } from './dump.ts'

interface PendingWrite {
  readonly key: string
  readonly value: Value | undefined
  readonly expected: Entry | undefined
  readonly note: Note
  readonly fences: readonly Fence[]
  readonly resolve: (result: WriteOutcome) => void
}

export interface MemoryStoreOptions {
  /** Several servers of this process use it: it says so, and checks fences. Default false. */
  readonly shared?: boolean
  /** The revision of an empty store. Default 0. */
  readonly start?: Revision
  /** The revision after another one. Default: one more. */
  readonly next?: (last: Revision) => Revision
  /** The longest value it takes. Default: any. */
  readonly maxValueBytes?: number
  /** What a compaction keeps below the horizon. Default: as the SQLite store, without a limit of age. */
  readonly history?: Partial<Omit<HistoryLimits, 'ageMs'>>
}

export class MemoryStore implements Store {
  readonly shared: boolean
  readonly maxValueBytes: number
  readonly #next: (last: Revision) => Revision
  readonly #limits: Omit<HistoryLimits, 'ageMs'>
  readonly #stream: ChangeStream
  /** Every version of a key that is still kept, oldest first. */
  readonly #versions = new Map<string, Change[]>()
  /** What each commit changed, oldest first, above the horizon. */
  #commits: (readonly Change[])[] = []
  #keys: string[] | undefined
  #pending: PendingWrite[] = []
  #horizon: Revision
  #closed = false
  #stats = { commits: 0, writes: 0 }

  constructor({
    shared = false,
    start = 0,
    next = (last) => last + 1,
    maxValueBytes = Number.POSITIVE_INFINITY,
    history = {},
  }: MemoryStoreOptions = {}) {
    this.shared = shared
    this.maxValueBytes = maxValueBytes
    this.#limits = { perKey: 10, bytes: 256 << 20, kindBytes: 64 << 20, ...history }
    this.#next = next
    this.#horizon = start
    this.#stream = new ChangeStream(start, (after, upto) => this.#readLog(after, upto))
  }

  put(
    key: string,
    value: Value,
    expected: Entry | undefined,
    note: Note,
    fences: readonly Fence[] = [],
  ): Promise<WriteOutcome> {
    return this.#write({ key, value, expected, note, fences })
  }

  delete(key: string, expected: Entry, note: Note, fences: readonly Fence[] = []): Promise<WriteOutcome> {
    return this.#write({ key, value: undefined, expected, note, fences })
  }

  async get(key: string): Promise<Entry | undefined> {
    this.#assertOpen()
    return this.#at(key, this.#stream.revision)
  }

  async range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range> {
    this.#assertOpen()
    const revision = options.revision ?? this.#stream.revision
    this.#assertKnown(revision)
    this.#keys ??= [...this.#versions.keys()].sort(compareKeys)
    const entries: Entry[] = []
    for (const key of this.#keys) {
      if (!key.startsWith(prefix)) continue
      if (options.after !== undefined && compareKeys(key, options.after) <= 0) continue
      const entry = this.#at(key, revision)
      if (entry === undefined) continue
      if (entries.length === options.limit) return { entries, revision, more: true }
      entries.push(entry)
    }
    return { entries, revision, more: false }
  }

  async readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision> {
    const { entries, revision } = await this.range('', { limit: Number.POSITIVE_INFINITY })
    take(entries.map(wholeEntry))
    return revision
  }

  async revision(): Promise<Revision> {
    this.#assertOpen()
    return this.#stream.revision
  }

  async history(key: string, { steps = false, limit }: HistoryOptions = {}): Promise<readonly Change[]> {
    this.#assertOpen()
    const kept = (this.#versions.get(key) ?? []).filter(({ note }) => !steps || !note.minor)
    return limit === undefined ? kept : kept.slice(Math.max(0, kept.length - limit))
  }

  async *changes(after: Revision, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    this.#assertOpen()
    if (after < this.#horizon) throw new CompactedError(after, this.#horizon)
    yield* this.#stream.follow(after, signal)
  }

  async horizon(): Promise<Revision> {
    this.#assertOpen()
    return this.#horizon
  }

  async keptFrom(revision: Revision): Promise<Revision> {
    this.#assertOpen()
    return Math.max(revision, this.#horizon)
  }

  async compact(revision: Revision): Promise<void> {
    this.#assertOpen()
    if (revision > this.#stream.revision) throw new FutureRevisionError(revision, this.#stream.revision)
    if (revision <= this.#horizon) return
    this.#horizon = revision
    this.#commits = this.#commits
      .map((commit) => commit.filter((change) => change.revision > revision))
      .filter((commit) => commit.length > 0)
    this.#thinOut(revision)
    this.#keys = undefined
  }

  async backup(file: string): Promise<void> {
    this.#assertOpen()
    // Taken late as in `sqlite/new-file.ts`.
    const { writeFile } = process.getBuiltinModule('node:fs/promises')
    await writeFile(file, dumpLines(this.#stream.revision, this.#versions.values()), { flag: 'wx' })
  }

  health(): StoreHealth {
    return this.#closed ? { writable: false, reason: 'the store is closed' } : { writable: true }
  }

  stats(): StoreStats {
    return {
      ...this.#stats,
      commitSeconds: 0,
      failedCommits: 0,
      pendingWrites: this.#pending.length,
      damagedRecords: 0,
    }
  }

  async close(): Promise<void> {
    this.#commit()
    this.#closed = true
    this.#stream.close()
  }

  #write(write: Omit<PendingWrite, 'resolve'>): Promise<WriteOutcome> {
    if (this.#closed) return Promise.resolve({ type: 'failed', error: new Error('the store is closed') })
    const refusal = tooLong(write.value, this.maxValueBytes)
    if (refusal) return Promise.resolve(refusal)
    return new Promise((resolve) => {
      if (this.#pending.length === 0) queueMicrotask(() => this.#commit())
      this.#pending.push({ ...write, resolve })
    })
  }

  #commit(): void {
    const pending = this.#pending
    this.#pending = []
    const changes: Change[] = []
    const results = pending.map((write) => this.#apply(write, changes))
    if (changes.length > 0) {
      this.#commits.push(changes)
      this.#stats.commits++
      this.#stats.writes += changes.length
      this.#stream.publish(changes)
    }
    for (const [index, result] of results.entries()) pending[index]?.resolve(result)
  }

  #apply(write: PendingWrite, changes: Change[]): WriteOutcome {
    const { key, value, expected, note, fences } = write
    const current = this.#newest(key)
    if (current?.revision !== expected?.revision) return { type: 'conflict', current }
    const moved = this.shared && fences.find((fence) => this.#newest(fence.key)?.revision !== fence.revision)
    if (moved) return { type: 'fenced', key: moved.key }
    const revision = this.#next(changes.at(-1)?.revision ?? this.#stream.revision)
    const op = value === undefined ? 'delete' : 'put'
    const change: Change = { revision, key, op, value, previous: current, note }
    const versions = this.#versions.get(key)
    if (versions === undefined) {
      this.#versions.set(key, [change])
      this.#keys = undefined
    } else {
      versions.push(change)
    }
    changes.push(change)
    return { type: 'committed', revision }
  }

  #newest(key: string): Entry | undefined {
    const newest = this.#versions.get(key)?.at(-1)
    return newest === undefined ? undefined : entryOf(newest)
  }

  /** Keeps what reads can reach, and the history that the limits leave room for. */
  #thinOut(horizon: Revision): void {
    const history = new Map<string, Change[]>()
    const reachable = new Map<string, readonly Change[]>()
    for (const [key, versions] of this.#versions) {
      const kept = keptVersions(versions, horizon, this.#limits.perKey)
      const kind = kindOfKey(key)
      history.set(kind, [...(history.get(kind) ?? []), ...kept.history])
      reachable.set(key, kept.reachable)
    }
    const level = historyLevel([...history.values()].map(bytesOf), this.#limits) ?? Number.POSITIVE_INFINITY
    const past = Map.groupBy(
      [...history.values()].flatMap((changes) => newestWithin(changes, level)),
      ({ key }) => key,
    )
    for (const [key, current] of reachable) {
      const kept = [...(past.get(key) ?? []), ...current]
      const revisions = new Set(kept.map(({ revision }) => revision))
      if (kept.length === 0) this.#versions.delete(key)
      else
        this.#versions.set(
          key,
          kept.map((change) => withKeptPrevious(change, revisions)),
        )
    }
  }

  #at(key: string, revision: Revision): Entry | undefined {
    const version = this.#versions.get(key)?.findLast((candidate) => candidate.revision <= revision)
    return version === undefined ? undefined : entryOf(version)
  }

  async #readLog(after: Revision, upto: Revision): Promise<LogPage> {
    if (after < this.#horizon) throw new CompactedError(after, this.#horizon)
    const changes = this.#commits.flat().filter((change) => change.revision > after && change.revision <= upto)
    return { changes, through: upto }
  }

  #assertKnown(revision: Revision): void {
    if (revision < this.#horizon) throw new CompactedError(revision, this.#horizon)
    if (revision > this.#stream.revision) throw new FutureRevisionError(revision, this.#stream.revision)
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error('the store is closed')
  }
}

function wholeEntry({ key, revision, value }: Entry): WholeEntry {
  const { bytes, gap, metaEnd } = value ?? { bytes: Buffer.alloc(0), gap: 0, metaEnd: 0 }
  const digits = String(revision)
  const buffer = Buffer.concat([bytes.subarray(0, gap), Buffer.from(digits), bytes.subarray(gap)])
  return {
    key,
    revision,
    damage: undefined,
    buffer,
    start: 0,
    size: buffer.length,
    gap,
    metaEnd: metaEnd + digits.length,
  }
}

/** The newest of the changes that fit into so many bytes, oldest first. */
function newestWithin(changes: readonly Change[], level: number): readonly Change[] {
  const kept = changes.toSorted((a, b) => a.revision - b.revision)
  for (let bytes = bytesOf(kept); bytes > level; ) bytes -= bytesOf(kept.splice(0, 1))
  return kept
}

function bytesOf(changes: readonly Change[]): number {
  return changes.reduce((sum, { key, value }) => sum + key.length + (value?.bytes.length ?? 0), 0)
}

function withKeptPrevious(change: Change, kept: ReadonlySet<Revision>): Change {
  const { previous } = change
  return previous === undefined || kept.has(previous.revision) ? change : { ...change, previous: undefined }
}

function entryOf(change: Change): Entry | undefined {
  return change.op === 'delete' ? undefined : { key: change.key, revision: change.revision, value: change.value }
}
