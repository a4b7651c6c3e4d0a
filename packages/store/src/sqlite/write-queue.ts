// Group commit on the main thread: while one batch is with the writer thread, new writes form the next batch. It publishes
// the changes of a commit before any caller gets its outcome. Bounded: beyond the bound writes fail as overloaded.

import type { Change } from '../contract.ts'
import { BatchPacker } from './pack.ts'
import type { PendingWrite } from './pending-write.ts'
import type { BatchReply } from './protocol.ts'
import type { ThreadHandle } from './thread-handle.ts'
import { unpackEntries } from './unpack.ts'

/** So many writes are worth a commit of their own: they need not wait for those that the last commit brings about. */
const ENOUGH = 16

export interface WriteQueueOptions {
  readonly maxPending: number
  readonly thread: () => ThreadHandle
  readonly publish: (changes: readonly Change[]) => void
}

export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #packer = new BatchPacker()
  #waiting: PendingWrite[] = []
  #inFlight: readonly PendingWrite[] = []
  #sentAt = 0
  #scheduled = false
  #idle: (() => void)[] = []
  readonly #stats = { commits: 0, writes: 0, commitSeconds: 0, failedCommits: 0 }

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  get stats(): {
    commits: number
    writes: number
    commitSeconds: number
    failedCommits: number
    pendingWrites: number
  } {
    return { ...this.#stats, pendingWrites: this.#waiting.length + this.#inFlight.length }
  }

  get busy(): boolean {
    return this.#inFlight.length > 0
  }

  /** For how long the batch in flight has been with the writer. */
  get inFlightMs(): number {
    return this.#inFlight.length === 0 ? 0 : performance.now() - this.#sentAt
  }

  get inFlightKeys(): readonly string[] {
    return this.#inFlight.map((write) => write.key)
  }

  add(write: PendingWrite): void {
    if (this.#waiting.length + this.#inFlight.length >= this.#options.maxPending) {
      const error = new Error(`${this.#options.maxPending} writes are already waiting`)
      write.resolve({ type: 'failed', error, overloaded: true })
      return
    }
    this.#waiting.push(write)
    this.#schedule()
  }

  /** Settles the batch in flight with the writer's reply. */
  settle(reply: BatchReply): void {
    const batch = this.#inFlight
    this.#inFlight = []
    this.#stats.commitSeconds += (performance.now() - this.#sentAt) / 1000
    // The writer syncs the next batch while the changes of this one are published.
    if (isWritten(reply) && this.#waiting.length >= ENOUGH) this.#send()
    if (typeof reply === 'number') this.#allCommitted(batch, reply)
    else if (reply.type === 'written') this.#someCommitted(batch, reply.revisions, reply.conflicts)
    else this.#failed(batch, reply)
    if (this.#waiting.length > 0) this.#schedule()
    else if (this.#inFlight.length === 0) this.#becameIdle()
  }

  /** Resolves when no write is waiting or in flight. */
  drained(): Promise<void> {
    if (this.#waiting.length + this.#inFlight.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Fails what has not been sent yet. */
  failWaiting(error: Error): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const write of waiting) write.resolve({ type: 'failed', error })
    if (this.#inFlight.length === 0) this.#becameIdle()
  }

  /** Runs after the poll phase, so that requests which arrived in one turn form one batch. */
  #schedule(): void {
    if (this.#scheduled || this.#inFlight.length > 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      if (this.#inFlight.length === 0 && this.#waiting.length > 0) this.#send()
    })
  }

  #send(): void {
    const thread = this.#options.thread()
    const packed = this.#packer.pack(this.#waiting, thread.batchMemory)
    this.#inFlight = this.#waiting.slice(0, packed.count)
    this.#waiting = this.#waiting.slice(packed.count)
    this.#sentAt = performance.now()
    if (packed.memory === thread.batchMemory) thread.sendBatch(packed.count)
    else thread.sendLargeBatch(packed.memory, packed.count)
  }

  #allCommitted(batch: readonly PendingWrite[], newest: number): void {
    const first = newest - batch.length + 1
    const changes = batch.map((write, index) => changeOf(write, first + index))
    this.#stats.commits++
    this.#stats.writes += batch.length
    this.#options.publish(changes)
    for (const [index, write] of batch.entries()) write.resolve({ type: 'committed', revision: first + index })
  }

  #someCommitted(batch: readonly PendingWrite[], revisions: readonly number[], conflicts: ArrayBuffer): void {
    const changes: Change[] = []
    for (const [index, write] of batch.entries()) {
      const revision = revisions[index] ?? 0
      if (revision > 0) changes.push(changeOf(write, revision))
    }
    if (changes.length > 0) this.#stats.commits++
    this.#stats.writes += changes.length
    this.#options.publish(changes)
    const current = unpackEntries(conflicts)[Symbol.iterator]()
    for (const [index, write] of batch.entries()) {
      const revision = revisions[index] ?? 0
      if (revision > 0) write.resolve({ type: 'committed', revision })
      else write.resolve({ type: 'conflict', current: current.next().value })
    }
  }

  #failed(batch: readonly PendingWrite[], { unknown, reason }: { unknown: boolean; reason: string }): void {
    this.#stats.failedCommits++
    const error = new Error(reason)
    for (const write of batch) write.resolve({ type: unknown ? 'unknown' : 'failed', error })
  }

  #becameIdle(): void {
    const idle = this.#idle
    this.#idle = []
    for (const resolve of idle) resolve()
  }
}

function isWritten(reply: BatchReply): boolean {
  return typeof reply === 'number' || reply.type === 'written'
}

function changeOf(write: PendingWrite, revision: number): Change {
  const { key, value, expected, note } = write
  return { revision, key, op: value === undefined ? 'delete' : 'put', value, previous: expected, note }
}
