// The main thread's side of one SQLite thread: starts it, wakes it, matches answers to requests.

import type { Worker } from 'node:worker_threads'
import type {
  BatchReply,
  LargeBatch,
  ReadAnswer,
  ReadRequest,
  ThreadData,
  ThreadReply,
  ThreadRequest,
} from './protocol.ts'
import { BATCH_COUNT, BATCH_MEMORY_BYTES, SIGNAL } from './protocol.ts'
import { spawnThread } from './spawn-thread.ts'

export interface ThreadEvents {
  onBatch?(reply: BatchReply): void
  onReopened?(state: Extract<ThreadReply, { type: 'reopened' }>): void
  onCheckpointDue?(): void
  /** The thread ended without being asked to. */
  onDeath?(error: Error): void
}

type Ready = Extract<ThreadReply, { type: 'ready' }>
type Body = ThreadRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never

interface Waiting {
  readonly resolve: (value: ReadAnswer | undefined) => void
  readonly reject: (error: Error) => void
}

export class ThreadHandle {
  /** Where a batch is packed before `sendBatch`. Owned by the thread until it replies. */
  readonly batchMemory = new SharedArrayBuffer(BATCH_MEMORY_BYTES)
  readonly #control = new Int32Array(new SharedArrayBuffer(8))
  readonly #worker: Worker
  readonly #events: ThreadEvents
  readonly #waiting = new Map<number, Waiting>()
  readonly #ready = Promise.withResolvers<Ready>()
  readonly #exited: Promise<void>
  #nextId = 1
  #ending = false

  constructor(data: Omit<ThreadData, 'control' | 'batch'>, events: ThreadEvents) {
    this.#events = events
    const control = this.#control.buffer as SharedArrayBuffer
    this.#worker = spawnThread({ ...data, control, batch: this.batchMemory })
    this.#ready.promise.catch(() => {})
    this.#worker.on('message', (reply: ThreadReply) => this.#receive(reply))
    this.#exited = new Promise((resolve) => {
      let cause: unknown
      this.#worker.once('error', (error) => {
        cause = error
      })
      this.#worker.once('exit', () => {
        this.#dead(new Error('the store thread ended unexpectedly', { cause }))
        resolve()
      })
    })
  }

  /** The state of the file once a writer has opened it. */
  get ready(): Promise<Ready> {
    return this.#ready.promise
  }

  /** Hands over `count` writes packed into the batch memory. */
  sendBatch(count: number): void {
    Atomics.store(this.#control, BATCH_COUNT, count)
    this.#wake()
  }

  sendLargeBatch(memory: SharedArrayBuffer, count: number): void {
    const message: LargeBatch = { type: 'batch', memory, count }
    this.#worker.postMessage(message)
    this.#wake()
  }

  request(body: Body): Promise<ReadAnswer | undefined> {
    if (this.#ending) return Promise.reject(new Error('the store is closed'))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...body, id })
      this.#wake()
    })
  }

  async read(request: ReadRequest): Promise<ReadAnswer> {
    return (await this.request(request)) ?? { page: new ArrayBuffer(0), done: true }
  }

  /** Closes the connections and ends the thread; ends it anyway after the time-out. */
  async close(timeoutMs: number): Promise<void> {
    if (this.#ending) return this.#exited
    const closed = this.request({ type: 'close' })
    this.#ending = true
    const timer = setTimeout(() => void this.#worker.terminate(), timeoutMs)
    try {
      await closed
    } finally {
      await this.#exited
      clearTimeout(timer)
    }
  }

  /** Ends the thread whatever it is doing. */
  kill(): void {
    void this.#worker.terminate()
  }

  #wake(): void {
    Atomics.add(this.#control, SIGNAL, 1)
    Atomics.notify(this.#control, SIGNAL)
  }

  #receive(reply: ThreadReply): void {
    if (typeof reply === 'number' || reply.type === 'written' || reply.type === 'failed') this.#events.onBatch?.(reply)
    else if (reply.type === 'answer') this.#settle(reply)
    else if (reply.type === 'ready') this.#ready.resolve(reply)
    else if (reply.type === 'reopened') this.#events.onReopened?.(reply)
    else if (reply.type === 'checkpoint-due') this.#events.onCheckpointDue?.()
    else this.#cannotOpen(reply.reason)
  }

  #cannotOpen(reason: string): void {
    this.#ending = true
    this.#ready.reject(new Error(reason))
  }

  #settle({ id, value, error }: Extract<ThreadReply, { type: 'answer' }>): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value as ReadAnswer | undefined)
    else waiting?.reject(new Error(error))
  }

  #dead(error: Error): void {
    const expected = this.#ending
    this.#ending = true
    this.#ready.reject(error)
    for (const waiting of this.#waiting.values()) waiting.reject(error)
    this.#waiting.clear()
    if (!expected) this.#events.onDeath?.(error)
  }
}
