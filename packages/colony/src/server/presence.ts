// Which executors are there: signs of life, what follows when they stop, and the phase that their objects show.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import { LOST_SECONDS } from '@homeostat/executor/protocol'
import type { ExecutorBook } from '../queue/executor-book.ts'
import type { ColonyEvents } from './colony-events.ts'
import type { ExecutorFacts } from './executor-facts.ts'
import { lastRenewal, renewLease } from './leases.ts'
import { EXECUTORS, keyOf } from './resources.ts'

const TOGETHER_MS = 1000

export interface PresenceParts {
  readonly api: Api
  readonly book: ExecutorBook
  readonly clock: Clock
  readonly log: Log
  readonly events: Pick<ColonyEvents, 'record'>
}

export class Presence {
  readonly #parts: PresenceParts
  /** When Executor objects that were lost are to be deleted. */
  readonly #deletions = new Map<string, { readonly executor: ExecutorFacts; readonly at: number }>()
  /** Executors whose Lease is due. All are written at one time: signs of life shall not come between the work. */
  readonly #renewals = new Map<string, ExecutorFacts>()
  #renewAt: number | undefined
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
    this.#renewals.delete(keyOf(executor))
  }

  /** Nothing waits for what this writes: a sign of life that cannot be written is followed by the next. */
  heard(executor: ExecutorFacts): void {
    const { book, clock } = this.#parts
    const { namespace, name } = executor
    const now = clock.now()
    const isNew = book.lastSeen(namespace, name) === undefined
    book.seen(namespace, name, now)
    this.#deletions.delete(keyOf(executor))
    if (book.needsRenewal(namespace, name, now)) {
      book.renewed(namespace, name, now)
      this.#renewals.set(keyOf(executor), executor)
      // Who has come just now is shown at once.
      this.#renewAt = isNew ? now : (this.#renewAt ?? now + TOGETHER_MS)
    }
    if (executor.phase !== 'Online') void this.#show(executor, 'Online')
  }

  async lost(executor: ExecutorFacts): Promise<void> {
    this.#parts.log.info({ executor: executor.name, namespace: executor.namespace }, 'an executor was lost')
    this.#planDeletion(executor, this.#parts.clock.now())
    this.#tell(executor, 'Lost', 'it was not heard of for too long; what it held is given to others')
    await this.#show(executor, 'Lost')
  }

  /** Another program has its name. */
  replaced(executor: ExecutorFacts): void {
    this.#tell(executor, 'Replaced', 'another program was started under this name; the former one is refused')
  }

  #tell({ namespace, name, uid }: ExecutorFacts, reason: string, message: string): void {
    const metadata = { namespace, name, uid }
    const regarding = { apiVersion: 'colonies.io/v1', kind: 'Executor', metadata }
    this.#parts.events.record(regarding, { type: 'Warning', reason, action: 'Watch', message })
  }

  /** Renews the Leases that are due, and deletes the objects of executors that have been lost for long enough. */
  async sweep(): Promise<void> {
    const { api, clock, log } = this.#parts
    await this.#renewAll()
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
    let next = this.#renewAt
    for (const { at } of this.#deletions.values()) if (next === undefined || at < next) next = at
    return next
  }

  async #renewAll(): Promise<void> {
    const { api, book, clock, log } = this.#parts
    if (this.#renewAt === undefined || this.#renewAt > clock.now()) return
    const due = [...this.#renewals.values()]
    this.#renewals.clear()
    this.#renewAt = undefined
    const renew = async (executor: ExecutorFacts) => {
      const { namespace, name } = executor
      try {
        await renewLease(api, executor, book.lastSeen(namespace, name) ?? clock.now())
      } catch (error) {
        log.warn({ err: error, executor: name }, 'the lease of an executor could not be renewed')
      }
    }
    await Promise.all(due.map(renew))
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
