// Renews the Leases of executors in batches, once a second, so that heartbeats do not compete with the queue's writes.
// A failed renewal is only logged: the next heartbeat retries it.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import { keyOf } from '../kinds/resources.ts'
import type { ExecutorLiveness } from '../queue/executor-liveness.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import { renewLease } from './leases.ts'

export interface LeaseRenewalParts {
  readonly api: Api
  readonly liveness: ExecutorLiveness
  readonly clock: Clock
  readonly log: Log
  readonly writes: BackgroundWrites
}

const BATCH_MS = 1000

export class LeaseRenewals implements TimedWork {
  readonly #parts: LeaseRenewalParts
  readonly #due = new Map<string, ExecutorFacts>()
  #at: number | undefined

  constructor(parts: LeaseRenewalParts) {
    this.#parts = parts
  }

  /** Adds the executor to the next batch; `atOnce` for one that has just registered. */
  add(executor: ExecutorFacts, now: number, atOnce: boolean): void {
    this.#due.set(keyOf(executor), executor)
    this.#at = atOnce ? now : (this.#at ?? now + BATCH_MS)
  }

  forget(executor: ExecutorFacts): void {
    this.#due.delete(keyOf(executor))
  }

  nextTime(): number | undefined {
    return this.#at
  }

  act(now: number): void {
    if (this.#at === undefined || this.#at > now) return
    const due = [...this.#due.values()]
    this.#due.clear()
    this.#at = undefined
    for (const executor of due) this.#parts.writes.add(this.#renew(executor), { executor: executor.name })
  }

  async #renew(executor: ExecutorFacts): Promise<void> {
    const { api, liveness, clock, log } = this.#parts
    const { namespace, name } = executor
    try {
      await renewLease(api, executor, liveness.lastSeen(namespace, name) ?? clock.now())
    } catch (error) {
      log.warn({ err: error, executor: name }, 'the lease of an executor could not be renewed')
    }
  }
}
