// Writes the phase of Executor objects and the Events about it. Nothing waits for these writes: a failure is only
// logged.

import type { Api } from '@homeostat/apiserver'
import type { Log } from '@homeostat/base'
import type { ColonyEvents } from '../events/colony-events.ts'
import { EXECUTORS, keyOf } from '../kinds/resources.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'

export interface ExecutorPhaseParts {
  readonly api: Api
  readonly log: Log
  readonly events: Pick<ColonyEvents, 'record'>
}

export class ExecutorPhase {
  readonly #parts: ExecutorPhaseParts
  /** Keys with a phase write in progress. */
  readonly #writing = new Set<string>()

  constructor(parts: ExecutorPhaseParts) {
    this.#parts = parts
  }

  async online(executor: ExecutorFacts): Promise<void> {
    if (executor.phase !== 'Online') await this.#write(executor, 'Online')
  }

  async lost(executor: ExecutorFacts): Promise<void> {
    this.#parts.log.info({ executor: executor.name, namespace: executor.namespace }, 'an executor was lost')
    this.#warn(executor, 'Lost', 'it was not heard of for too long; what it held is given to others')
    await this.#write(executor, 'Lost')
  }

  /** Records that another program registered under the same name. */
  replaced(executor: ExecutorFacts): void {
    this.#warn(executor, 'Replaced', 'another program was started under this name; the former one is refused')
  }

  #warn({ namespace, name, uid }: ExecutorFacts, reason: string, message: string): void {
    const metadata = { namespace, name, uid }
    const regarding = { apiVersion: 'colonies.io/v1', kind: 'Executor', metadata }
    this.#parts.events.record(regarding, { type: 'Warning', reason, action: 'Watch', message })
  }

  async #write(executor: ExecutorFacts, phase: 'Online' | 'Lost'): Promise<void> {
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
