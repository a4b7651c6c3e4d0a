// Tracks which executors are alive: every call counts as a heartbeat, and an executor whose calls stop is lost.

import type { Api } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { LOST_SECONDS } from '@homeostat/executor/protocol'
import { keyOf } from '../kinds/resources.ts'
import type { ExecutorLiveness } from '../queue/executor-liveness.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'
import type { StateListener } from '../state/state-listener.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import type { ExecutorPhase } from './executor-phase.ts'
import type { LeaseRenewals } from './lease-renewals.ts'
import { lastRenewal } from './leases.ts'
import type { LostDeletions } from './lost-deletions.ts'
import type { LostExecutors } from './lost-executors.ts'

export interface PresenceParts {
  readonly api: Api
  readonly liveness: ExecutorLiveness
  readonly clock: Clock
  readonly executors: ReadonlyMap<string, ExecutorFacts>
  readonly phase: ExecutorPhase
  readonly renewals: LeaseRenewals
  readonly deletions: LostDeletions
  readonly lost: LostExecutors
  readonly writes: BackgroundWrites
}

export class Presence implements StateListener, TimedWork {
  readonly #parts: PresenceParts

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** Notes a call of the executor. Its writes run in the background. */
  heard(executor: ExecutorFacts): void {
    const { liveness, clock, deletions, lost, phase, renewals } = this.#parts
    const { namespace, name } = executor
    const now = clock.now()
    const isNew = liveness.lastSeen(namespace, name) === undefined
    liveness.seen(namespace, name, now)
    lost.remove(executor)
    deletions.cancel(executor)
    if (liveness.needsRenewal(namespace, name, now)) {
      liveness.renewed(namespace, name, now)
      renewals.add(executor, now, isNew)
    }
    void phase.online(executor)
  }

  /** After a restart every known executor gets the full time limit again. */
  executorChanged(executor: ExecutorFacts): void {
    const { api, liveness, clock, deletions } = this.#parts
    const { namespace, name } = executor
    if (liveness.lastSeen(namespace, name) !== undefined) return
    const renewed = lastRenewal(api, executor)
    // An executor that never called cannot be lost.
    if (renewed === undefined) return
    if (executor.phase === 'Lost') deletions.plan(executor, renewed + LOST_SECONDS * 1000)
    else liveness.seen(namespace, name, clock.now())
  }

  executorReplaced(executor: ExecutorFacts): void {
    this.#parts.phase.replaced(executor)
  }

  executorGone(executor: ExecutorFacts): void {
    const { liveness, clock, deletions, lost, renewals } = this.#parts
    liveness.forget(executor.namespace, executor.name)
    deletions.cancel(executor)
    renewals.forget(executor)
    lost.add(executor, clock.now())
  }

  /** An executor that holds a Process and never called gets the full time limit. */
  processChanged({ namespace, phase, executor }: QueuedProcess): void {
    const { liveness, clock } = this.#parts
    if (phase !== 'Running' || executor === undefined) return
    if (liveness.lastSeen(namespace, executor) === undefined) liveness.seen(namespace, executor, clock.now())
  }

  nextTime(): number | undefined {
    return this.#parts.liveness.nextTime()
  }

  act(now: number): void {
    const { liveness, deletions, executors, lost, phase, writes } = this.#parts
    for (const silent of liveness.lost(now)) {
      lost.add(silent, now)
      const executor = executors.get(keyOf(silent))
      if (executor === undefined) continue
      deletions.plan(executor, now)
      writes.add(phase.lost(executor), { executor: executor.name })
    }
  }

  resumed(now: number): void {
    this.#parts.liveness.resumed(now)
  }
}
