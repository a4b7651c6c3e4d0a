// The end of an attempt, as its executor tells it: fenced, reported to the resource it was for, and written.

import type { Api, CachedObject, ObjectName } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import { type Finished, type Process, RESOURCE_LABELS } from '@homeostat/executor/protocol'
import { type Cause, isStatusError, type KubeObject } from '@homeostat/meta'
import type { Handling } from '../handlers/handling.ts'
import { finished as finishedStatus, isRefusal } from '../queue/transitions.ts'
import type { ColonyMetrics } from './colony-metrics.ts'
import { notTheHolder, PROCESSES, refusedCloses } from './resources.ts'
import type { RunEvents } from './run-events.ts'
import { isUnexpected } from './set-aside.ts'
import type { Step, Steps } from './steps.ts'

export interface ClosingParts {
  readonly api: Api
  readonly steps: Steps
  readonly clock: Clock
  readonly metrics: ColonyMetrics
  readonly handling: Pick<Handling, 'conclude'>
  readonly runs: RunEvents
}

export class Closing {
  /** Keys of Processes that are being closed: time does not end them meanwhile. */
  readonly busy = new Set<string>()
  readonly #parts: ClosingParts

  constructor(parts: ClosingParts) {
    this.#parts = parts
  }

  /** The Process as it is then; undefined when it is gone. 409 unless this executor holds it in this attempt. */
  async close(namespace: string, executor: string, finished: Finished): Promise<CachedObject | undefined> {
    const { api } = this.#parts
    const name = { namespace, name: finished.process }
    const cached = api.object(PROCESSES, name)
    const process = cached && api.parsed(PROCESSES, cached)
    if (cached === undefined) return undefined
    if (!isOfResource(process)) return this.#write(namespace, executor, finished)
    this.busy.add(cached.name)
    try {
      return await this.#closeOfResource(cached, process as unknown as Process, executor, finished)
    } catch (error) {
      if (isUnexpected(error)) throw await this.#parts.steps.setAside(name, error)
      throw error
    } finally {
      this.busy.delete(cached.name)
    }
  }

  /** What travels with an assign. What is refused does not keep the others from being closed. */
  async closeAll(namespace: string, executor: string, all: readonly Finished[]): Promise<void> {
    const refused: Cause[] = []
    const close = async (finished: Finished, index: number) => {
      try {
        await this.close(namespace, executor, finished)
      } catch (error) {
        if (!isStatusError(error, 'Conflict')) throw error
        refused.push({ reason: 'FieldValueInvalid', field: `finished[${index}]`, message: error.message })
      }
    }
    await Promise.all(all.map(close))
    if (refused.length > 0) throw refusedCloses(executor, refused)
  }

  async #closeOfResource(
    cached: CachedObject,
    process: Process,
    executor: string,
    finished: Finished,
  ): Promise<CachedObject | undefined> {
    const { clock, handling, metrics, runs } = this.#parts
    const { namespace = '', name = '', uid = '' } = process.metadata
    const next = finishedStatus(process.spec, process.status, executor, finished, clock.now())
    if (next === undefined) return cached
    if (isRefusal(next)) throw notTheHolder(name, next.message)
    const { keep, errors } = await handling.conclude(process, finished)
    metrics.reconciled(process, clock.now())
    if (!keep) {
      await this.#remove({ namespace, name }, uid)
      return undefined
    }
    const told = errors === undefined ? finished : failedBecause(finished, errors)
    const written = await this.#write(namespace, executor, told)
    if (told.result === 'Succeeded') runs.reconciled(process, executor)
    return written
  }

  /** It may have gone with its resource. */
  async #remove(name: ObjectName, uid: string): Promise<void> {
    try {
      await this.#parts.api.delete(PROCESSES, name, { preconditions: { uid } })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  async #write(namespace: string, executor: string, finished: Finished): Promise<CachedObject | undefined> {
    const { steps, clock, runs } = this.#parts
    const step: Step = (spec, status) => finishedStatus(spec, status, executor, finished, clock.now())
    const written = await steps.take({ namespace, name: finished.process }, step, isUnexpected)
    if (finished.result === 'Failed') runs.failed(written)
    return written
  }
}

function isOfResource(process: KubeObject | undefined): boolean {
  return process?.metadata.labels?.[RESOURCE_LABELS.uid] !== undefined
}

function failedBecause({ process, attempt, output }: Finished, errors: readonly string[]): Finished {
  return { process, attempt, result: 'Failed', retryable: true, errors, ...(output !== undefined && { output }) }
}
