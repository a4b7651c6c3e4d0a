// Closes an attempt with the outcome that its executor reports: checks the fence, applies the outcome to the resource, and
// writes the Process.

import type { Api, CachedObject, ObjectName, User } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { type Process, type ProcessOutcome, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { isStatusError, type KubeObject } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'
import type { AttemptEvents } from '../events/attempt-events.ts'
import type { Handlers } from '../handlers/handling.ts'
import { notTheHolder, PROCESSES, refusedCloses } from '../kinds/resources.ts'
import type { ColonyMetrics } from '../metrics/colony-metrics.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import { attemptEnded, isRefusal } from '../queue/transitions.ts'
import { isUnexpected } from './set-aside.ts'
import type { Transition, TransitionWriter } from './transition-writer.ts'

export interface ProcessCloserParts {
  readonly api: Api
  readonly writer: TransitionWriter
  readonly clock: Clock
  readonly metrics: ColonyMetrics
  readonly handlers: Pick<Handlers, 'applyOutcome'>
  readonly attemptEvents: AttemptEvents
}

export class ProcessCloser {
  /** Keys of Processes whose close is in progress: a deadline does not end them. */
  readonly closing = new Set<string>()
  readonly #parts: ProcessCloserParts

  constructor(parts: ProcessCloserParts) {
    this.#parts = parts
  }

  /** `user` sent the outcome. Returns the written Process; undefined when it was deleted. 409 unless this executor holds it in this attempt. */
  async close(
    { namespace, name: executor }: ExecutorName,
    outcome: ProcessOutcome,
    user: User,
  ): Promise<CachedObject | undefined> {
    const { api } = this.#parts
    const name = { namespace, name: outcome.process }
    const cached = api.object(PROCESSES, name)
    const process = cached && api.parsed(PROCESSES, cached)
    if (cached === undefined) return undefined
    if (!isOfResource(process)) return this.#write(namespace, executor, outcome)
    this.closing.add(cached.name)
    try {
      return await this.#closeOfResource(cached, process as unknown as Process, executor, outcome, user)
    } catch (error) {
      if (isUnexpected(error)) throw await this.#parts.writer.setAside(name, error)
      throw error
    } finally {
      this.closing.delete(cached.name)
    }
  }

  /** Closes the outcomes of an assign call. A refused one does not stop the others. */
  async closeAll(executor: ExecutorName, all: readonly ProcessOutcome[], user: User): Promise<void> {
    const refused: Cause[] = []
    const close = async (outcome: ProcessOutcome, index: number) => {
      try {
        await this.close(executor, outcome, user)
      } catch (error) {
        if (!isStatusError(error, 'Conflict')) throw error
        refused.push({ reason: 'FieldValueInvalid', field: `finished[${index}]`, message: error.message })
      }
    }
    await Promise.all(all.map(close))
    if (refused.length > 0) throw refusedCloses(executor.name, refused)
  }

  async #closeOfResource(
    cached: CachedObject,
    process: Process,
    executor: string,
    outcome: ProcessOutcome,
    user: User,
  ): Promise<CachedObject | undefined> {
    const { clock, handlers, metrics, attemptEvents } = this.#parts
    const { namespace = '', name = '', uid = '' } = process.metadata
    const next = attemptEnded(process.spec, process.status, executor, outcome, clock.now())
    if (next === undefined) return cached
    if (isRefusal(next)) throw notTheHolder(name, next.message)
    const { keep, errors, writes } = await handlers.applyOutcome(process, outcome, user)
    metrics.reconciled(process, clock.now())
    if (!keep) {
      await this.#remove({ namespace, name }, uid)
      return undefined
    }
    const reported = errors === undefined ? outcome : failedBecause(outcome, errors)
    const written = await this.#write(namespace, executor, reported)
    if (reported.result === 'Succeeded') attemptEvents.reconciled(process, executor, writes)
    return written
  }

  /** The Process may have been deleted with its resource. */
  async #remove(name: ObjectName, uid: string): Promise<void> {
    try {
      await this.#parts.api.delete(PROCESSES, name, { preconditions: { uid } })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  async #write(namespace: string, executor: string, outcome: ProcessOutcome): Promise<CachedObject | undefined> {
    const { writer, clock, attemptEvents } = this.#parts
    const transition: Transition = (spec, status) => attemptEnded(spec, status, executor, outcome, clock.now())
    const written = await writer.write({ namespace, name: outcome.process }, transition, isUnexpected)
    if (outcome.result === 'Failed') attemptEvents.failed(written)
    return written
  }
}

function isOfResource(process: KubeObject | undefined): boolean {
  return process?.metadata.labels?.[RESOURCE_LABELS.uid] !== undefined
}

function failedBecause({ process, attempt, output }: ProcessOutcome, errors: readonly string[]): ProcessOutcome {
  return { process, attempt, result: 'Failed', retryable: true, errors, ...(output !== undefined && { output }) }
}
