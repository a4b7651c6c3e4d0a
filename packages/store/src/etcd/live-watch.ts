// The one watch over all that the store keeps: it publishes every change in order, and knows how far it has come. It opens
// itself again at that place after any failure. The store owns one; it never reads or writes anything else.

import { setTimeout as pause } from 'node:timers/promises'
import { ChangeStream, type ReadLog } from '../changes/change-stream.ts'
import type { Revision } from '../contract.ts'
import type { EtcdWatch, KeyValue, WatchMessage } from './client/contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import { EventDecoder, type EventListeners } from './event-decoder.ts'
import type { Horizon } from './horizon.ts'
import type { Session } from './session.ts'
import { horizonState } from './store-meta.ts'

/** A state of the stream: its newest change, and the etcd revision up to which nothing is missing. */
export interface Position {
  readonly revision: Revision
  readonly passed: number
}

export interface LiveWatchStart {
  readonly newest: number
  readonly passed: number
}

interface Waiter {
  readonly revision: number
  /** On the monotonic clock. */
  readonly until: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** How soon a member is asked again how far it is; it leaves out answers while it catches up. */
const ASK_AGAIN_MS = 100
const RETRY_MS = 50
const MAX_RETRY_MS = 1000

export class LiveWatch {
  readonly stream: ChangeStream
  readonly #session: Session
  readonly #decoder: EventDecoder
  readonly #horizon: Horizon
  #passed: number
  #watch: EtcdWatch | undefined
  #waiters: Waiter[] = []
  #asking: NodeJS.Timeout | undefined
  #trouble: Error | undefined
  #running: Promise<void> | undefined

  constructor(session: Session, start: LiveWatchStart, horizon: Horizon, listeners: EventListeners, readLog: ReadLog) {
    this.#session = session
    this.#passed = start.passed
    this.#horizon = horizon
    this.#decoder = new EventDecoder(session, { ...listeners, onMeta: (kv) => this.#onMeta(kv) }, false)
    this.stream = new ChangeStream(session.revisionOf(start.newest), readLog)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  get position(): Position {
    return { revision: this.stream.revision, passed: this.#passed }
  }

  /** Why nothing new is seen, while it lasts. */
  get trouble(): Error | undefined {
    return this.#trouble
  }

  /** Resolves when everything up to the etcd revision has been published; rejects when that takes too long. */
  passes(revision: number, timeoutMs: number): Promise<void> | undefined {
    if (this.#passed >= revision) return undefined
    this.#watch?.requestProgress()
    this.#asking ??= setInterval(() => this.#askAgain(), ASK_AGAIN_MS)
    const until = performance.now() + timeoutMs
    return new Promise((resolve, reject) => this.#waiters.push({ revision, until, resolve, reject }))
  }

  async close(): Promise<void> {
    this.stream.close()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#session
    let retry = RETRY_MS
    while (!signal.aborted) {
      const before = this.#passed
      try {
        await this.#follow(signal)
      } catch (error) {
        this.#trouble = error as Error
        if (isEtcdError(error, 'compacted'))
          this.#session.end('changes were compacted in etcd before this server had seen them')
      }
      retry = this.#passed > before ? RETRY_MS : Math.min(retry * 2, MAX_RETRY_MS)
      await pause(retry, undefined, { signal }).catch(() => {})
    }
    // Followers read the log, and learn from that what has happened.
    if (this.#session.ended !== undefined) this.stream.advance(this.stream.revision + 1)
    this.#release(
      () => true,
      ({ resolve }) => resolve(),
    )
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { client, layout } = this.#session
    const watch = client.watch({ ...layout.watched, from: this.#passed + 1 }, signal)
    this.#watch = watch
    try {
      await watch.created
      this.#trouble = undefined
      if (this.#waiters.length > 0) watch.requestProgress()
      for await (const message of watch) {
        this.#take(message)
        if (signal.aborted) return
      }
    } finally {
      this.#watch = undefined
    }
  }

  #take(message: WatchMessage): void {
    if (message.type === 'progress') this.#passed = Math.max(this.#passed, message.revision)
    else {
      const changes = this.#decoder.decode(message.events)
      this.#passed = message.events.at(-1)?.kv.modRevision ?? this.#passed
      if (changes.length > 0) this.stream.publish(changes)
    }
    if (this.#waiters.length > 0) this.#wake()
  }

  #wake(): void {
    this.#release(
      (waiter) => waiter.revision <= this.#passed,
      ({ resolve }) => resolve(),
    )
  }

  #askAgain(): void {
    const now = performance.now()
    const late = new Error('the watch of etcd has not shown its newest revision in time', { cause: this.#trouble })
    this.#release(
      (waiter) => waiter.until < now,
      ({ reject }) => reject(late),
    )
    this.#watch?.requestProgress()
  }

  #release(isDone: (waiter: Waiter) => boolean, release: (waiter: Waiter) => void): void {
    const done = this.#waiters.filter(isDone)
    if (done.length > 0) this.#waiters = this.#waiters.filter((waiter) => !isDone(waiter))
    for (const waiter of done) release(waiter)
    if (this.#waiters.length > 0) return
    clearInterval(this.#asking)
    this.#asking = undefined
  }

  #onMeta(kv: KeyValue): void {
    const { layout, since } = this.#session
    if (kv.key === layout.meta('store') && kv.modRevision !== since)
      this.#session.end('the numbers of the store were raised, as a restore does, or its data were replaced')
    if (kv.key === layout.meta('horizon') && kv.version > 0) this.#horizon.learn(horizonState(kv, since))
  }
}
