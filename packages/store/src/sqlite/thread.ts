// The thread that owns SQLite connections: the writer's, or only a reader's. It sleeps on shared memory instead of
// an event loop, which makes waking it several times cheaper. Started by spawn-thread.ts.

import { flushCompileCache } from 'node:module'
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { Checkpoints } from './checkpoints.ts'
import { assertSameFile, DataFiles } from './data-files.ts'
import { type ConnectionOptions, Database } from './database.ts'
import { FaultInjector } from './fault.ts'
import { LogReader } from './log-reader.ts'
import { LogWriter } from './log-writer.ts'
import { messageOf } from './message-of.ts'
import type { LargeBatch, ReadAnswer, ReadRequest, ThreadData, ThreadReply, ThreadRequest } from './protocol.ts'
import { BATCH_COUNT, everything, SIGNAL } from './protocol.ts'
import { ReadAhead } from './read-ahead.ts'
import { type RecordMemory, recordMemory } from './record.ts'
import { RevisionGuard } from './revision-guard.ts'
import { checkStep } from './verify.ts'

const REOPEN_EVERY_MS = 1000

interface Reader {
  readonly db: Database
  readonly log: LogReader
}

class SqliteThread {
  readonly #port: MessagePort
  readonly #data: ThreadData
  readonly #control: Int32Array
  readonly #batch: RecordMemory
  #writer: LogWriter | undefined
  #reader: Reader | undefined
  /** The requests that wait for compaction to end. */
  #compacting: number[] = []
  #closing = false
  readonly #readerOptions: ConnectionOptions
  readonly #checkpoints: Checkpoints
  readonly #ahead = new ReadAhead((request) => this.#withReader(({ log }) => log.read(request)))

  constructor(port: MessagePort, data: ThreadData) {
    this.#port = port
    this.#data = data
    this.#control = new Int32Array(data.control)
    this.#batch = recordMemory(data.batch)
    this.#checkpoints = new Checkpoints(data.checkpointPages, () => performance.now())
    this.#readerOptions = this.#connection('reader')
  }

  run(): void {
    if (this.#data.role === 'writer' && !this.#openWriter()) return
    // Once per start: spares the next start from stripping types again, where a compile cache is in use.
    flushCompileCache()
    while (!this.#closing) {
      const seen = Atomics.load(this.#control, SIGNAL)
      if (this.#runBatch() || this.#runMessage() || this.#runCompaction() || this.#ahead.step()) continue
      const usable = this.#writer?.usable ?? true
      Atomics.wait(this.#control, SIGNAL, seen, usable ? this.#runCheckpoints() : REOPEN_EVERY_MS)
      if (!usable) this.#reopen()
    }
  }

  #connection(role: 'writer' | 'reader'): ConnectionOptions {
    const { file, maxPages, synchronous, fault } = this.#data
    const injector = fault.length === 0 ? undefined : new FaultInjector(role, fault)
    return { file, role, maxPages, synchronous, fault: injector }
  }

  #openWriter(): boolean {
    try {
      const warnings: string[] = []
      this.#writer = new LogWriter(
        this.#connection('writer'),
        this.#data.history,
        new DataFiles(this.#data.file, this.#data.lasting),
        this.#checkpoints,
        new RevisionGuard(this.#data.file, this.#data.onLoss, (warning) => warnings.push(warning)),
      )
      const { state } = this.#writer
      this.#post({ type: 'ready', ...state, warnings })
      if (this.#data.willReadAll) this.#ahead.expect(everything(state.revision))
      return true
    } catch (error) {
      this.#post({ type: 'cannot-open', reason: messageOf(error) })
      return false
    }
  }

  #reopen(): void {
    if (this.#writer?.reopen()) this.#post({ type: 'reopened', ...this.#writer.state })
  }

  #runBatch(): boolean {
    const count = Atomics.exchange(this.#control, BATCH_COUNT, 0)
    if (count === 0) return false
    this.#commit(this.#batch, count)
    return true
  }

  #commit(memory: RecordMemory, count: number): void {
    this.#ahead.clear()
    const reply = this.#writer?.commit(memory, count)
    if (reply === undefined) throw new Error('a reader was given writes')
    if (typeof reply === 'object' && reply.type === 'written') this.#port.postMessage(reply, [reply.conflicts])
    else this.#post(reply)
  }

  #runMessage(): boolean {
    const received = receiveMessageOnPort(this.#port)
    if (received === undefined) return false
    const request = received.message as ThreadRequest | LargeBatch
    if (request.type === 'batch') this.#commit(recordMemory(request.memory), request.count)
    else if (request.type === 'compact') this.#compacting.push(request.id)
    else this.#answer(request)
    return true
  }

  #answer(request: ThreadRequest): void {
    try {
      const value = this.#carryOut(request)
      this.#port.postMessage({ type: 'answer', id: request.id, value }, value === undefined ? [] : [value.page])
    } catch (error) {
      this.#post({ type: 'answer', id: request.id, error: messageOf(error) })
    }
  }

  #carryOut(request: ThreadRequest): ReadAnswer | undefined {
    switch (request.type) {
      case 'close':
        this.#closing = true
        this.#closeReader()
        this.#writer?.close()
        return undefined
      case 'horizon':
        this.#writer?.setHorizon(request.revision)
        return undefined
      case 'probe':
        this.#writer?.probe()
        return undefined
      case 'checkpointed':
        this.#checkpoints.moved(request.wal)
        return undefined
      case 'compact':
        return undefined
      default:
        return this.#read(request)
    }
  }

  #read(request: ReadRequest): ReadAnswer | undefined {
    if (request.type === 'range') return this.#ahead.answer(request)
    this.#ahead.clear()
    return this.#withReader(({ db, log }) => {
      if (request.type === 'checkpoint') return { page: new ArrayBuffer(0), done: true, wal: db.checkpoint() }
      if (request.type === 'check')
        return { page: new ArrayBuffer(0), done: true, check: checkStep(db, request.position) }
      if (request.type !== 'backup') return log.read(request)
      db.exec('pragma', 'PRAGMA query_only = OFF')
      db.query('backup', 'VACUUM INTO ?', request.file)
      db.exec('pragma', 'PRAGMA query_only = ON')
      return undefined
    })
  }

  #withReader<T>(use: (reader: Reader) => T): T {
    try {
      if (this.#reader === undefined) {
        assertSameFile(this.#data.file, this.#data.lasting.data)
        const db = new Database(this.#readerOptions)
        this.#reader = { db, log: new LogReader(db) }
      }
      return use(this.#reader)
    } catch (error) {
      // The next read starts with a fresh connection, whatever happened to this one.
      this.#closeReader()
      throw error
    }
  }

  #runCompaction(): boolean {
    if (this.#compacting.length === 0) return false
    let error: string | undefined
    try {
      if (this.#writer?.compactStep() === false) return true
    } catch (reason) {
      error = messageOf(reason)
    }
    for (const id of this.#compacting) this.#post({ type: 'answer', id, ...(error === undefined ? {} : { error }) })
    this.#compacting = []
    return true
  }

  /** Does the work that is due and returns how long the thread may sleep. */
  #runCheckpoints(): number {
    if (this.#writer === undefined) return Number.POSITIVE_INFINITY
    for (;;) {
      const step = this.#checkpoints.next()
      if (step.do === 'wait') return step.ms
      if (step.do === 'move') this.#post({ type: 'checkpoint-due' })
      else this.#writer.checkpoint()
    }
  }

  #closeReader(): void {
    try {
      this.#reader?.db.close()
    } finally {
      this.#reader = undefined
    }
  }

  #post(reply: ThreadReply): void {
    this.#port.postMessage(reply)
  }
}

const port = parentPort
if (port === null) throw new Error('this file is the body of a worker thread')
// The thread may start before its role is known.
port.once('message', (data: ThreadData) => new SqliteThread(port, data).run())
