// Writes the assignment of reserved Processes to an executor, and requeues them when the executor cannot get them.

import type { Api, CachedObject } from '@homeostat/apiserver'
import type { Clock } from '@homeostat/base'
import type { Process } from '@homeostat/executor/protocol'
import { isStatusError } from '@homeostat/meta'
import type { AttemptEvents } from '../events/attempt-events.ts'
import { nameOf, PROCESSES } from '../kinds/resources.ts'
import type { ColonyMetrics } from '../metrics/colony-metrics.ts'
import type { Requeue } from '../processes/requeue.ts'
import type { TransitionWriter } from '../processes/transition-writer.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { assigned } from '../queue/transitions.ts'

export interface AssignmentParts {
  readonly api: Api
  readonly queue: ProcessQueue
  readonly writer: TransitionWriter
  readonly requeue: Requeue
  readonly clock: Clock
  readonly metrics: ColonyMetrics
  readonly attemptEvents: AttemptEvents
  /** Called when a reservation ended: another executor may want the Process. */
  released(): void
}

export class AssignmentWriter {
  readonly #parts: AssignmentParts

  constructor(parts: AssignmentParts) {
    this.#parts = parts
  }

  /** Returns the Processes that run now. */
  async assign(reserved: readonly QueuedProcess[], executor: string): Promise<CachedObject[]> {
    const writes = await Promise.allSettled(reserved.map((process) => this.#assign(process, executor)))
    const running = writes.flatMap((write) =>
      write.status === 'fulfilled' && write.value !== undefined ? [write.value] : [],
    )
    const failed = writes.find((write) => write.status === 'rejected')
    // The response must have the Processes that run, even if other writes failed.
    if (failed !== undefined && running.length === 0) throw failed.reason
    return running
  }

  /** Assigns while the closes of the same call are written. If those fail, the assigned Processes are requeued. */
  async assignBeside(
    closes: Promise<void>,
    reserved: readonly QueuedProcess[],
    executor: string,
  ): Promise<readonly CachedObject[]> {
    const [closed, running] = await Promise.allSettled([closes, this.assign(reserved, executor)])
    if (running.status === 'fulfilled') return this.#unlessFailed(closed, running.value, executor)
    throw closed.status === 'rejected' ? closed.reason : running.reason
  }

  /** The same for Processes that run already. */
  async keepBeside(
    closes: Promise<void>,
    running: readonly CachedObject[],
    executor: string,
  ): Promise<readonly CachedObject[]> {
    const [closed] = await Promise.allSettled([closes])
    return this.#unlessFailed(closed, running, executor)
  }

  async giveBack(running: readonly CachedObject[], executor: string): Promise<void> {
    const { api, requeue } = this.#parts
    const back = running.map((object) => {
      const { attempt } = (api.parsed(PROCESSES, object) as unknown as Process).status
      return requeue.notHeld(nameOf(object.name), executor, attempt)
    })
    await Promise.all(back)
  }

  async #unlessFailed(
    closed: PromiseSettledResult<void>,
    running: readonly CachedObject[],
    executor: string,
  ): Promise<readonly CachedObject[]> {
    if (closed.status === 'fulfilled') return running
    await this.giveBack(running, executor)
    throw closed.reason
  }

  async #assign(process: QueuedProcess, executor: string): Promise<CachedObject | undefined> {
    const { writer, queue, clock, metrics, attemptEvents, released } = this.#parts
    const now = clock.now()
    try {
      const written = await writer.write(process, (spec, status) => assigned(spec, status, executor, now))
      if (written !== undefined) metrics.assigned(process, clock.now())
      // Only Processes of resources have this event, and these have a concurrency key.
      if (written !== undefined && process.concurrencyKey !== undefined) attemptEvents.assigned(written)
      return written
    } catch (error) {
      // It was cancelled, taken or set aside meanwhile. The queue will get its newest state.
      if (isStatusError(error, 'Conflict')) return undefined
      throw error
    } finally {
      // Does nothing when the queue knows the new state already.
      queue.release(process.namespace, process.name)
      released()
    }
  }
}
