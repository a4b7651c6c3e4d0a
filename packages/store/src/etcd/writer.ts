// Writes: one transaction each, all of them pipelined, repeated until it is known what became of it. The store calls it.

import { setTimeout as pause } from 'node:timers/promises'
import type { Entry, Fence, Note, StoreStats, Value, WriteOutcome } from '../contract.ts'
import { tooLong } from '../contract.ts'
import { isEtcdError } from './client/etcd-error.ts'
import { OwnWrites } from './own-writes.ts'
import { RecentDeletions } from './recent-deletions.ts'
import type { Session } from './session.ts'
import { appliedAt } from './settle.ts'
import { baseOf, type Refusal, refusalOf, transactionOf, type Write } from './write.ts'

/** Of a request's limit, what is left for keys, notes and fences. */
const ROOM_BESIDE_VALUE = 16 << 10
const RETRY_MS = 20
const MAX_RETRY_MS = 500

export type SettledAs = 'applied' | 'not-applied' | 'unknown'

export class Writer {
  readonly maxValueBytes: number
  readonly own: OwnWrites
  readonly deletions = new RecentDeletions()
  readonly #session: Session
  /** What became of writes whose answer was lost. */
  readonly settled: Record<SettledAs, number> = { applied: 0, 'not-applied': 0, unknown: 0 }
  readonly #stats = { commits: 0, writes: 0, commitSeconds: 0, failedCommits: 0 }
  #pending = 0
  #idle: (() => void)[] = []

  constructor(session: Session) {
    this.#session = session
    this.own = new OwnWrites(session.id)
    this.maxValueBytes = Math.max(1, session.settings.maxRequestBytes - ROOM_BESIDE_VALUE)
  }

  get stats(): Omit<StoreStats, 'damagedRecords'> {
    return { ...this.#stats, pendingWrites: this.#pending }
  }

  async write(
    key: string,
    value: Value | undefined,
    expected: Entry | undefined,
    note: Note,
    fences: readonly Fence[],
  ): Promise<WriteOutcome> {
    const refusal = this.#refusal(key, value)
    if (refusal !== undefined) return refusal
    const id = this.own.add(value, note)
    this.#pending++
    const start = performance.now()
    let outcome: WriteOutcome
    try {
      outcome = await this.#settle({ id, key, value, expected, note, fences })
    } catch (error) {
      outcome = { type: 'unknown', error: error as Error }
    }
    this.#count(outcome, performance.now() - start)
    if (outcome.type !== 'committed') this.own.forget(id)
    return outcome
  }

  /** Resolves when no write is under way. */
  drained(): Promise<void> {
    if (this.#pending === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #refusal(key: string, value: Value | undefined): WriteOutcome | undefined {
    const { settings, isClosed, ended } = this.#session
    if (isClosed) return failed('the store is closed')
    if (ended !== undefined) return { type: 'failed', error: ended }
    // Half a surrogate pair has no bytes of its own, so two such keys would be one.
    if (!key.isWellFormed()) return failed(`the key ${JSON.stringify(key)} is not well-formed text`)
    const { maxPendingWrites } = settings
    if (this.#pending >= maxPendingWrites) {
      const error = new Error(`${maxPendingWrites} writes are already waiting`)
      return { type: 'failed', error, overloaded: true }
    }
    return tooLong(value, this.maxValueBytes)
  }

  /**
   * Sends the transaction until an answer tells what became of it. An answer that was lost leaves a doubt that only the same
   * transaction can end: once it was applied or refused, no earlier attempt can be applied any more.
   */
  async #settle(write: Write): Promise<WriteOutcome> {
    const session = this.#session
    const deadline = performance.now() + session.settings.settleTimeoutMs
    let deletedAt = write.expected === undefined ? this.deletions.at(write.key) : 0
    let doubt: Error | undefined
    for (let retry = RETRY_MS; ; ) {
      const base = baseOf(session, write, deletedAt)
      let refusal: Refusal
      try {
        const response = await session.client.txn(transactionOf(session, write, base))
        if (response.succeeded) {
          if (doubt !== undefined) this.settled['not-applied']++
          return { type: 'committed', revision: session.revisionOf(response.revision) }
        }
        refusal = refusalOf(session, write, base, response)
        if (refusal.type === 'renumbered') return this.#renumbered(doubt)
        if (doubt !== undefined) {
          const applied = await appliedAt(session, write.key, write.id, base, refusal.state)
          this.settled[applied === undefined ? 'not-applied' : 'applied']++
          if (applied !== undefined) return { type: 'committed', revision: session.revisionOf(applied) }
          doubt = undefined
        }
      } catch (error) {
        if (isEtcdError(error) && error.maybeApplied) doubt ??= error
        if (doubt === undefined) return refused(error as Error)
        if (performance.now() + retry > deadline || session.signal.aborted) {
          this.settled.unknown++
          return { type: 'unknown', error: doubt }
        }
        await pause(retry)
        retry = Math.min(retry * 2, MAX_RETRY_MS)
        continue
      }
      if (refusal.type === 'fenced') return { type: 'fenced', key: refusal.key }
      if (refusal.type === 'moved') {
        const { object } = refusal.state
        return { type: 'conflict', current: object && session.entryOf(object) }
      }
      deletedAt = refusal.revision
    }
  }

  #renumbered(doubt: Error | undefined): WriteOutcome {
    this.#session.end('the numbers of the store were raised, as a restore does, or its data were replaced')
    const error = this.#session.ended as Error
    return { type: doubt === undefined ? 'failed' : 'unknown', error }
  }

  #count(outcome: WriteOutcome, ms: number): void {
    this.#pending--
    this.#stats.commitSeconds += ms / 1000
    if (outcome.type === 'committed') {
      this.#stats.commits++
      this.#stats.writes++
    } else if (outcome.type === 'failed' || outcome.type === 'unknown') this.#stats.failedCommits++
    if (this.#pending > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

function failed(reason: string): WriteOutcome {
  return { type: 'failed', error: new Error(reason) }
}

function refused(error: Error): WriteOutcome {
  if (isEtcdError(error, 'overloaded')) return { type: 'failed', error, overloaded: true }
  return isEtcdError(error, 'too-large') ? { type: 'failed', error, tooLarge: true } : { type: 'failed', error }
}
