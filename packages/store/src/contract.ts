// The contract every store driver keeps, and nothing else. The API server is its only caller.
// A driver is right when it passes the suite in conformance/.

/**
 * Strictly rising, one per committed change, never used twice, below 2^53. It is every object's resourceVersion.
 * Nobody may count on the next one being one more, nor on the first one being 1.
 */
export type Revision = number

/**
 * An encoded object without its resourceVersion. A store keeps the three together and reads none of them:
 * `gap` is where the digits of the revision belong, `metaEnd` where the object's metadata ends. How they are written
 * down (plain, compressed, encrypted) is decided by a codec inside the driver; outside it a value is always plain.
 */
export interface Value {
  readonly bytes: Uint8Array
  readonly gap: number
  readonly metaEnd: number
}

/** The newest committed state of a key. `value` is absent only when the stored record is damaged. */
export interface Entry {
  readonly key: string
  readonly revision: Revision
  readonly value: Value | undefined
  /** Why the record cannot be trusted (its checksum fails); undefined for a sound record. */
  readonly damage?: string | undefined
}

/**
 * A current state that is ready to be sent: a part of `buffer`, with the digits of its revision in the gap. `size` is 0
 * when the record is damaged. The memory is the caller's to keep; the neighbours of an entry lie in it too.
 */
export interface WholeEntry {
  readonly key: string
  readonly revision: Revision
  readonly damage: string | undefined
  readonly buffer: Buffer
  readonly start: number
  readonly size: number
  /** Where the digits start and metadata ends, counted from `start`. */
  readonly gap: number
  readonly metaEnd: number
}

/** Who wrote, when, under which field manager, and whether it is worth keeping. Kept with the change. */
export interface Note {
  readonly time: number
  readonly user: string
  readonly manager: string
  /**
   * The change is no step of the object's history: a status, a heartbeat. Below the horizon `history` forgets it. A minor
   * deletion forgets the whole key, which is for kinds without history.
   */
  readonly minor?: boolean | undefined
}

/** One committed change. A deletion has no value; `previous` is what the key held before, as far as it is still kept. */
export interface Change {
  readonly revision: Revision
  readonly key: string
  readonly op: 'put' | 'delete'
  readonly value: Value | undefined
  readonly previous: Entry | undefined
  readonly note: Note
  readonly damage?: string | undefined
}

/**
 * Another key that must still be at this revision for a write to commit: the leader's lease, so that a former leader does not
 * write after it lost it; or an object that the write was decided on. A store that is not shared ignores fences.
 */
export interface Fence {
  readonly key: string
  readonly revision: Revision
}

export type WriteOutcome =
  /** Durable. */
  | { readonly type: 'committed'; readonly revision: Revision }
  /** Nothing happened: the key is not what the writer expected. */
  | { readonly type: 'conflict'; readonly current: Entry | undefined }
  /** Nothing happened: the key of this fence has moved on or is gone. The key of the write itself is compared first. */
  | { readonly type: 'fenced'; readonly key: string }
  /** Nothing happened: the disk is full, the store is closed, its queue is full (`overloaded`), its engine takes less (`tooLarge`). */
  | { readonly type: 'failed'; readonly error: Error; readonly overloaded?: boolean; readonly tooLarge?: boolean }
  /** It may or may not have happened; reading the key settles it. */
  | { readonly type: 'unknown'; readonly error: Error }

export interface Range {
  readonly entries: readonly Entry[]
  /** The revision of the snapshot that the page belongs to. Pass it on to read the next page of the same snapshot. */
  readonly revision: Revision
  readonly more: boolean
}

/** A record that cannot be trusted or read, as a check of the whole store finds it. */
export interface DamagedRecord {
  readonly revision: Revision
  /** Unknown when nothing around it can be read. */
  readonly key: string | undefined
  readonly problem: string
}

/** The store's health. With `writable: false` writes fail or wait, and `reason` says why; reads still work. */
export interface StoreHealth {
  readonly writable: boolean
  readonly reason?: string
  /** Damaged records that the last check of the whole store found. All other records are served. */
  readonly damage?: string
  /** What will stop writes unless somebody acts: a disk or a quota that is nearly full. */
  readonly warning?: string
}

/** Counts and durations of commits since the store was opened, for /metrics. */
export interface StoreStats {
  readonly commits: number
  readonly writes: number
  readonly commitSeconds: number
  readonly failedCommits: number
  readonly pendingWrites: number
  /** As the last check of all records found them. */
  readonly damagedRecords: number
}

/** Numbers of a driver's own, for /metrics. */
export interface StoreMeasure {
  readonly type: 'counter' | 'gauge'
  /** Without the name of the program, such as `etcd_calls_total`. */
  readonly name: string
  readonly help: string
  /** Tells its numbers apart; a measure without it has one number. */
  readonly label?: string
  readonly values: readonly (readonly [labelValue: string, value: number])[]
}

/** Conditional writes. The pipeline's last step is their only caller. */
export interface StoreWrites {
  /** The longest value that `put` takes; a longer one is `failed`. The API server refuses it before, with 413. */
  readonly maxValueBytes: number
  /** Writes the key if it still holds `expected` (undefined: if it is absent). */
  put(
    key: string,
    value: Value,
    expected: Entry | undefined,
    note: Note,
    fences?: readonly Fence[],
  ): Promise<WriteOutcome>
  /** Deletes the key if it still holds `expected`. */
  delete(key: string, expected: Entry, note: Note, fences?: readonly Fence[]): Promise<WriteOutcome>
}

export interface HistoryOptions {
  /** Leaves minor changes out. */
  readonly steps?: boolean
  /** The newest so many, or as many of them as fit into a few megabytes. Default: all. */
  readonly limit?: number
}

/** Committed states, the newest and older ones. */
export interface StoreReads {
  get(key: string): Promise<Entry | undefined>
  /** Keys that start with `prefix` and come after `after`, in byte order. Throws CompactedError for what is not kept. */
  range(prefix: string, options: { after?: string; limit: number; revision?: Revision }): Promise<Range>
  /** Delivers all entries of one snapshot in byte order, piece by piece as they are read, and resolves to its revision. */
  readAll(take: (entries: readonly WholeEntry[]) => void): Promise<Revision>
  /**
   * The revision of the newest committed change; linearizable: no write that anybody was told of before the call is newer.
   * A driver whose engine counts other things too waits until its own stream has passed the engine's count, and answers
   * with the stream's last change. Callers of one turn share one question. In an empty store it is below every future revision.
   */
  revision(): Promise<Revision>
  /**
   * Every change of the key that is still kept, oldest first: above the horizon all of them, below it those that are not
   * minor, and what a deletion removed, within limits of count, age, and bytes of each kind and in all.
   */
  history(key: string, options?: HistoryOptions): Promise<readonly Change[]>
}

export interface ChangesOptions {
  /** False: a follower that holds the state itself needs no previous values, which some drivers have to read. Default true. */
  readonly previous?: boolean
}

/** The stream of changes, and how far back it reaches. */
export interface StoreChanges {
  /**
   * Whether other processes write to it, too. Then `changes` lags behind `revision()`, and whoever reads what changes showed has
   * to ask first how far the truth is.
   */
  readonly shared: boolean
  /**
   * Every change after the revision, in order, each once: history first, then live, until the signal aborts.
   * Changes of one commit arrive in one array. Throws CompactedError for what is not kept.
   */
  changes(after: Revision, signal: AbortSignal, options?: ChangesOptions): AsyncIterable<readonly Change[]>
  /** The horizon: the oldest revision that `changes` and `range` accept; below it they throw CompactedError. */
  horizon(): Promise<Revision>
  /**
   * The oldest revision at or above this one that `changes` and `range` accept: usually the revision itself. Below the
   * horizon it is the horizon; inside a lost range it is the revision after the range.
   */
  keptFrom(revision: Revision): Promise<Revision>
}

/** Upkeep: the command line, health checks and metrics call it. */
export interface StoreUpkeep {
  /** Raises the horizon to the revision and deletes the records that no read can reach any more. */
  compact(revision: Revision): Promise<void>
  /** Writes a consistent copy to a new file while the store is in use. */
  backup(file: string): Promise<void>
  health(): StoreHealth
  stats(): StoreStats
  /** What else the driver counts, always the same measures. */
  measures?(): readonly StoreMeasure[]
  /** Waits for writes in flight, then frees all resources. Safe to call twice. */
  close(): Promise<void>
}

/** What a driver implements. A caller takes only the part that it uses. */
export interface Store extends StoreWrites, StoreReads, StoreChanges, StoreUpkeep {
  /**
   * Other processes write to the same data. Then fences are checked, and a writer may be answered before the change has
   * come through this store's own stream.
   */
  readonly shared: boolean
}

const COMPACTED = Symbol.for('homeostat.store.compacted-error')

/** The requested revision was compacted; `horizon` is the oldest revision after it that is still readable. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError'
  readonly [COMPACTED] = true
  readonly horizon: Revision
  constructor(asked: Revision, horizon: Revision) {
    super(`revision ${asked} has been compacted; the oldest that can be asked for is ${horizon}`)
    this.horizon = horizon
  }
}

/** By a brand, not by its class: a driver may come with another copy of this package. */
export function isCompactedError(error: unknown): error is CompactedError {
  return typeof error === 'object' && error !== null && COMPACTED in error
}

/** The requested revision has not been committed yet. */
export class FutureRevisionError extends Error {
  override readonly name = 'FutureRevisionError'
  readonly current: Revision
  constructor(asked: Revision, current: Revision) {
    super(`revision ${asked} is in the future; the newest is ${current}`)
    this.current = current
  }
}

/** The outcome for a value that is longer than the driver takes; undefined for one that fits. */
export function tooLong(value: Value | undefined, maxValueBytes: number): WriteOutcome | undefined {
  const length = value?.bytes.length ?? 0
  if (length <= maxValueBytes) return undefined
  const error = new Error(`the value has ${length} bytes, the store takes ${maxValueBytes}`)
  return { type: 'failed', error, tooLarge: true }
}

/** Byte order of the UTF-8 form, which differs from JavaScript's order only where surrogates occur. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const xHigh = x >= 0xd800 && x < 0xe000
    const yHigh = y >= 0xd800 && y < 0xe000
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x < y ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
}
