// Deletes the objects of executors that have been lost for `spec.ttlSecondsAfterLost`.

import type { Api } from '@homeostat/apiserver'
import type { Log } from '@homeostat/base'
import { EXECUTORS, keyOf } from '../kinds/resources.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'

export interface LostDeletionParts {
  readonly api: Api
  readonly log: Log
  readonly writes: BackgroundWrites
}

export class LostDeletions implements TimedWork {
  readonly #parts: LostDeletionParts
  readonly #planned = new Map<string, { readonly executor: ExecutorFacts; readonly at: number }>()

  constructor(parts: LostDeletionParts) {
    this.#parts = parts
  }

  plan(executor: ExecutorFacts, lostAt: number): void {
    const { ttlSecondsAfterLost: ttl } = executor
    if (ttl !== undefined) this.#planned.set(keyOf(executor), { executor, at: lostAt + ttl * 1000 })
  }

  /** Called when the executor calls again or is deleted. */
  cancel(executor: ExecutorFacts): void {
    this.#planned.delete(keyOf(executor))
  }

  nextTime(): number | undefined {
    // Runs on every change of a Process, and the map is almost always empty.
    if (this.#planned.size === 0) return undefined
    let next: number | undefined
    for (const { at } of this.#planned.values()) if (next === undefined || at < next) next = at
    return next
  }

  act(now: number): void {
    for (const [key, { executor, at }] of this.#planned) {
      if (at > now) continue
      this.#planned.delete(key)
      this.#parts.writes.add(this.#delete(executor), { executor: executor.name })
    }
  }

  async #delete({ namespace, name, uid }: ExecutorFacts): Promise<void> {
    const { api, log } = this.#parts
    await api.delete(EXECUTORS, { namespace, name }, { preconditions: { uid } }).catch((error: unknown) => {
      log.warn({ err: error, executor: name }, 'a lost executor could not be deleted')
    })
  }
}
