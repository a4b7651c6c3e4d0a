// Which executors are there: signs of life, what follows when they stop, and the phase that their objects show.

import type { Api } from '@homeostat/apiserver'
import { LOST_SECONDS } from '@homeostat/executor/protocol'
import type { Log } from '@homeostat/operator'
import type { Clock } from '@homeostat/queue'
import type { ExecutorBook } from '../queue/executor-book.ts'
import type { ExecutorFacts } from './executor-facts.ts'
import { lastRenewal, renewLease } from './leases.ts'
import { EXECUTORS, keyOf } from './resources.ts'

export interface PresenceParts {
  readonly api: Api
  readonly book: ExecutorBook
  readonly clock: Clock
  readonly log: Log
}

export class Presence {
  readonly #parts: PresenceParts
  /** When Executor objects that were lost are to be deleted. */
  readonly #deletions = new Map<string, { readonly executor: ExecutorFacts; readonly at: number }>()
  /** Keys whose phase is being written. */
  readonly #writing = new Set<string>()

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** It was there when the server began, or came since. A server that was away owes everybody a new term. */
  arrived(executor: ExecutorFacts): void {
    const { api, book, clock } = this.#parts
    const { namespace, name } = executor
    if (book.lastSeen(namespace, name) !== undefined) return
    const renewed = lastRenewal(api, executor)
    // Who was never heard of is not missed.
    if (renewed === undefined) return
    if (executor.phase === 'Lost') this.#planDeletion(executor, renewed + LOST_SECONDS * 1000)
    else book.seen(namespace, name, clock.now())
  }

  gone(executor: ExecutorFacts): void {
    this.#parts.book.forget(executor.namespace, executor.name)
    this.#deletions.delete(keyOf(executor))
  }

  /** Nothing waits for what this writes: a sign of life that cannot be written is followed by the next. */
  heard(executor: ExecutorFacts): void {
    const { api, book, clock, log } = this.#parts
    const { namespace, name } = executor
    const now = clock.now()
    book.seen(namespace, name, now)
    this.#deletions.delete(keyOf(executor))
    if (book.needsRenewal(namespace, name, now)) {
      book.renewed(namespace, name, now)
      renewLease(api, executor, now).catch((error: unknown) => {
        log.warn({ err: error, executor: name }, 'the lease of an executor could not be renewed')
      })
    }
    if (executor.phase !== 'Online') void this.#show(executor, 'Online')
  }

  async lost(executor: ExecutorFacts): Promise<void> {
    this.#parts.log.info({ executor: executor.name, namespace: executor.namespace }, 'an executor was lost')
    this.#planDeletion(executor, this.#parts.clock.now())
    await this.#show(executor, 'Lost')
  }

  /** Deletes the objects of executors that have been lost for long enough. */
  async sweep(): Promise<void> {
    const { api, clock, log } = this.#parts
    for (const [key, { executor, at }] of this.#deletions) {
      if (at > clock.now()) continue
      this.#deletions.delete(key)
      const { namespace, name, uid } = executor
      await api.delete(EXECUTORS, { namespace, name }, { preconditions: { uid } }).catch((error: unknown) => {
        log.warn({ err: error, executor: name }, 'a lost executor could not be deleted')
      })
    }
  }

  nextTime(): number | undefined {
    let next: number | undefined
    for (const { at } of this.#deletions.values()) if (next === undefined || at < next) next = at
    return next
  }

  #planDeletion(executor: ExecutorFacts, lostAt: number): void {
    const { ttlSecondsAfterLost: ttl } = executor
    if (ttl !== undefined) this.#deletions.set(keyOf(executor), { executor, at: lostAt + ttl * 1000 })
  }

  async #show(executor: ExecutorFacts, phase: 'Online' | 'Lost'): Promise<void> {
    const { api, log } = this.#parts
    const { namespace, name, uid } = executor
    const key = `${keyOf(executor)} ${phase}`
    if (this.#writing.has(key)) return
    this.#writing.add(key)
    try {
      await api.writeStatus(EXECUTORS, { namespace, name }, ({ metadata, status }) =>
        metadata.uid === uid ? { ...(status as object), phase } : status,
      )
    } catch (error) {
      log.warn({ err: error, executor: name }, 'the phase of an executor could not be written')
    } finally {
      this.#writing.delete(key)
    }
  }
}
