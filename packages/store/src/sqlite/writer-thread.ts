// The one writer thread over the life of a store: restarts it when it dies, and knows whether writing works. It keeps the
// keys of writes whose outcome is unknown, so that reads of them fail instead of returning a state that may change.

import { join } from 'node:path'
import type { Revision, StoreHealth } from '../contract.ts'
import type { LastingFiles } from './data-files.ts'
import type { WalSize } from './database.ts'
import { DATA_FILE } from './format.ts'
import type { SqliteStoreOptions } from './options.ts'
import type { BatchReply, ThreadData, ThreadReply } from './protocol.ts'
import type { OnLoss } from './revision-guard.ts'
import { ThreadHandle } from './thread-handle.ts'

const SLOW_COMMIT_MS = 2000
const PROBE_EVERY_MS = 1000

type State = Extract<ThreadReply, { type: 'ready' }>

export interface WriterEvents {
  onBatch(reply: BatchReply): void
  /** The file was opened again; it may hold more than was known. */
  onState(state: { readonly revision: Revision }): void
  /** There is no writer for now, so waiting writes must fail. */
  onLost(error: Error): void
  /** A checkpoint is due on the reader's thread; `checkpointed` must be called after it. */
  onCheckpointDue(): void
  /** The writes in flight. */
  inFlight(): { readonly busy: boolean; readonly inFlightMs: number; readonly inFlightKeys: readonly string[] }
}

export class WriterThread {
  readonly opened: Promise<State>
  readonly #options: Required<SqliteStoreOptions>
  readonly #lasting: LastingFiles
  readonly #events: WriterEvents
  #handle: ThreadHandle
  #trouble: string | undefined
  #down: string | undefined
  #unsettled: readonly string[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** A thread that is started again must find what its predecessor acknowledged. */
  #onLoss: OnLoss

  constructor(options: Required<SqliteStoreOptions>, lasting: LastingFiles, events: WriterEvents) {
    this.#options = options
    this.#onLoss = options.onLoss
    this.#lasting = lasting
    this.#events = events
    this.#handle = this.#start()
    this.opened = this.#handle.ready.then((state) => {
      this.#onLoss = 'refuse'
      return state
    })
  }

  get handle(): ThreadHandle {
    return this.#handle
  }

  /** The thread, for small reads, if nothing is wrong with it. */
  get idle(): ThreadHandle | undefined {
    return this.#trouble === undefined && this.#down === undefined ? this.#handle : undefined
  }

  /** Why there is no writer at all; undefined when there is. */
  get down(): string | undefined {
    return this.#down
  }

  health(): StoreHealth {
    const slow = this.#events.inFlight().inFlightMs
    const reason = this.#down ?? this.#trouble
    if (reason !== undefined) return { writable: false, reason }
    if (slow < SLOW_COMMIT_MS) return { writable: true }
    return { writable: false, reason: `a commit has been under way for ${Math.round(slow / 1000)} seconds` }
  }

  /** Throws if the outcome of a write to the requested keys is unknown. */
  assertSettled(concerns: (key: string) => boolean): void {
    const key = this.#unsettled.find(concerns)
    if (key !== undefined) throw new Error(`whether the last write of ${key} happened is not known yet`)
  }

  startReader(onDeath: () => void): ThreadHandle {
    return new ThreadHandle(this.#threadData('reader'), { onDeath })
  }

  /** Without a size: the checkpoint failed. */
  checkpointed(wal: WalSize | undefined): void {
    this.#handle.request({ type: 'checkpointed', wal }).catch(() => {})
  }

  /** Ends a thread that hangs. The outcome of its writes becomes unknown. */
  giveUp(): void {
    this.#handle.kill()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#handle.close(this.#options.closeTimeoutMs).catch(() => {})
  }

  #start(): ThreadHandle {
    return new ThreadHandle(this.#threadData('writer'), {
      onBatch: (reply) => this.#batchDone(reply),
      onReopened: (state) => this.#recovered(state),
      onCheckpointDue: () => this.#events.onCheckpointDue(),
      onDeath: (error) => this.#died(error),
    })
  }

  #threadData(role: 'writer' | 'reader'): Omit<ThreadData, 'control' | 'batch'> {
    const { directory, fault, maxPages, checkpointPages, synchronous } = this.#options
    const { historyPerKey, historyMs, historyBytes, historyKindBytes, willReadAll } = this.#options
    return {
      role,
      file: join(directory, DATA_FILE),
      lasting: this.#lasting,
      fault,
      maxPages,
      checkpointPages,
      synchronous,
      history: { perKey: historyPerKey, ageMs: historyMs, bytes: historyBytes, kindBytes: historyKindBytes },
      onLoss: this.#onLoss,
      willReadAll,
    }
  }

  #batchDone(reply: BatchReply): void {
    if (typeof reply === 'object' && reply.type === 'failed') this.#failed(reply)
    else this.#trouble = undefined
    this.#events.onBatch(reply)
  }

  #failed({ unknown, reason }: { unknown: boolean; reason: string }): void {
    this.#trouble = `writes fail: ${reason}`
    if (unknown) this.#unsettled = [...this.#unsettled, ...this.#events.inFlight().inFlightKeys]
    this.#later(PROBE_EVERY_MS, () => this.#probe())
  }

  /** Probes until writing works again. */
  #probe(): void {
    if (this.#trouble === undefined || this.#down !== undefined) return
    this.#handle.request({ type: 'probe' }).then(
      () => {
        if (this.#unsettled.length === 0) this.#trouble = undefined
      },
      () => this.#later(PROBE_EVERY_MS, () => this.#probe()),
    )
  }

  #recovered(state: { readonly revision: Revision }): void {
    this.#down = undefined
    this.#trouble = undefined
    this.#unsettled = []
    this.#events.onState(state)
  }

  #died(error: Error): void {
    if (this.#closed) return
    this.#down = error.message
    const { busy } = this.#events.inFlight()
    if (busy) this.#batchDone({ type: 'failed', unknown: true, reason: error.message })
    this.#events.onLost(error)
    this.#later(PROBE_EVERY_MS, () => this.#restart())
  }

  #restart(): void {
    this.#handle = this.#start()
    Promise.all([this.opened, this.#handle.ready]).then(
      ([first, state]) => {
        if (state.uid === first.uid) this.#recovered(state)
        else this.#down = 'the data file holds other data than before; stop the server and restore a backup'
      },
      (error: Error) => {
        this.#down = error.message
        this.#later(PROBE_EVERY_MS, () => this.#restart())
      },
    )
  }

  #later(ms: number, run: () => void): void {
    clearTimeout(this.#timer)
    if (!this.#closed) this.#timer = setTimeout(run, ms).unref()
  }
}
