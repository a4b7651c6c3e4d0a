// Reads of the store, off the event loop and in bounded steps. An idle writer thread does them itself; when it is busy
// a second thread is started, and ended again when it has had nothing to do for a while: a thread costs 18 MB.

import type { LogPage } from '../changes/change-stream.ts'
import type { Change, Entry, HistoryOptions, Range, Revision, WholeEntry } from '../contract.ts'
import { CompactedError } from '../contract.ts'
import type { WalSize } from './database.ts'
import { everything, type RangeRequest, type ReadAnswer, type ReadRequest } from './protocol.ts'
import type { ThreadHandle } from './thread-handle.ts'
import { unpackChanges, unpackEntries, unpackWhole } from './unpack.ts'
import type { CheckPosition, CheckStep } from './verify.ts'

const READER_IDLE_MS = 10_000

export interface ReadsOptions {
  /** The writer thread if it has nothing to do. */
  readonly idleWriter: () => ThreadHandle | undefined
  readonly startReader: (onDeath: () => void) => ThreadHandle
  readonly closeTimeoutMs: number
}

export class Reads {
  readonly #options: ReadsOptions
  #reader: ThreadHandle | undefined
  #running = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: ReadsOptions) {
    this.#options = options
  }

  async get(key: string, newest: () => Revision): Promise<Entry | undefined> {
    let answer = await this.#read({ type: 'get', key, upto: newest() })
    // Compaction overtook the read, so something newer has been committed meanwhile.
    while (answer.compacted !== undefined) answer = await this.#read({ type: 'get', key, upto: newest() })
    return unpackEntries(answer.page)[0]
  }

  async range(prefix: string, after: string | undefined, limit: number, revision: Revision): Promise<Range> {
    const entries: Entry[] = []
    // One more than asked for tells whether there is more.
    const request: RangeRequest = { type: 'range', prefix, after, revision, limit: limit + 1, filled: false }
    await this.#steps(request, (page) => {
      for (const entry of unpackEntries(page)) if (entry !== undefined) entries.push(entry)
    })
    const more = entries.length > limit
    return { entries: more ? entries.slice(0, limit) : entries, revision, more }
  }

  all(revision: Revision, take: (entries: readonly WholeEntry[]) => void): Promise<void> {
    return this.#steps(everything(revision), (page) => take(unpackWhole(page)))
  }

  async changes(after: Revision, upto: Revision): Promise<LogPage> {
    const answer = await this.#read({ type: 'changes', after, upto })
    assertKept(answer, after)
    return { changes: unpackChanges(answer.page), through: answer.through ?? upto }
  }

  async history(key: string, upto: Revision, { steps = false, limit }: HistoryOptions): Promise<Change[]> {
    const { page } = await this.#read({ type: 'history', key, upto, steps, limit })
    return unpackChanges(page).reverse()
  }

  /** A backup is one long read, so it never runs on the writer's thread. */
  async backup(file: string): Promise<void> {
    await this.#onReader((reader) => reader.read({ type: 'backup', file }))
  }

  /** Checkpoints on the reader's thread while commits go on. */
  async checkpoint(): Promise<WalSize | undefined> {
    const { wal } = await this.#onReader((reader) => reader.read({ type: 'checkpoint' }))
    return wal
  }

  /** One step of a check of the whole file, which never runs on the writer's thread. */
  async check(position: CheckPosition): Promise<CheckStep> {
    const { check } = await this.#onReader((reader) => reader.read({ type: 'check', position }))
    if (check === undefined) throw new Error('the store is closed')
    return check
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await this.#reader?.close(this.#options.closeTimeoutMs).catch(() => {})
    this.#reader = undefined
  }

  async #steps(request: RangeRequest, take: (page: ArrayBuffer) => void): Promise<void> {
    let limit = request.limit
    for (let pending: Promise<ReadAnswer> | undefined = this.#read(request); pending; ) {
      const answer: ReadAnswer = await pending
      assertKept(answer, request.revision)
      limit -= answer.count ?? 0
      const ended = answer.done || limit <= 0
      // The thread reads the next step while this one is processed. An error of it surfaces in the next iteration.
      pending = ended ? undefined : this.#read({ ...request, after: answer.lastKey, limit })
      pending?.catch(() => {})
      take(answer.page)
    }
  }

  #read(request: ReadRequest): Promise<ReadAnswer> {
    const writer = this.#reader === undefined ? this.#options.idleWriter() : undefined
    return writer?.read(request) ?? this.#onReader((reader) => reader.read(request))
  }

  async #onReader<T>(use: (reader: ThreadHandle) => Promise<T>): Promise<T> {
    clearTimeout(this.#idleTimer)
    this.#running++
    const reader = this.#reader ?? this.#start()
    try {
      return await use(reader)
    } finally {
      if (--this.#running === 0 && this.#reader === reader) this.#endWhenIdle(reader)
    }
  }

  #start(): ThreadHandle {
    const reader = this.#options.startReader(() => {
      // The next read starts another.
      if (this.#reader === reader) this.#reader = undefined
    })
    this.#reader = reader
    return reader
  }

  #endWhenIdle(reader: ThreadHandle): void {
    this.#idleTimer = setTimeout(() => {
      this.#reader = undefined
      reader.close(this.#options.closeTimeoutMs).catch(() => {})
    }, READER_IDLE_MS)
    this.#idleTimer.unref()
  }
}

function assertKept({ compacted }: ReadAnswer, asked: Revision): void {
  if (compacted !== undefined) throw new CompactedError(asked, compacted)
}
