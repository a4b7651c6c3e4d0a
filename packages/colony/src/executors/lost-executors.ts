// Requeues the Processes of executors that were lost or deleted. Retries until the executor holds none, or calls again.

import type { AttemptEvents } from '../events/attempt-events.ts'
import { keyOf } from '../kinds/resources.ts'
import type { Requeue } from '../processes/requeue.ts'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'

export interface LostExecutorParts {
  readonly queue: ProcessQueue
  readonly requeue: Requeue
  readonly attemptEvents: AttemptEvents
  readonly writes: BackgroundWrites
  /** Keys of Processes whose close is in progress: they are not requeued. */
  readonly closing: ReadonlySet<string>
}

interface LostExecutor extends ExecutorName {
  /** Time of the next try. */
  at: number
}

const RETRY_MS = 1000

export class LostExecutors implements TimedWork {
  readonly #parts: LostExecutorParts
  readonly #lost = new Map<string, LostExecutor>()

  constructor(parts: LostExecutorParts) {
    this.#parts = parts
  }

  add({ namespace, name }: ExecutorName, now: number): void {
    this.#lost.set(keyOf({ namespace, name }), { namespace, name, at: now })
  }

  /** Called when the executor calls again: it keeps what it is assigned from now on. */
  remove(executor: ExecutorName): void {
    this.#lost.delete(keyOf(executor))
  }

  nextTime(): number | undefined {
    // Runs on every change of a Process, and the map is almost always empty.
    if (this.#lost.size === 0) return undefined
    let next: number | undefined
    for (const { at } of this.#lost.values()) if (next === undefined || at < next) next = at
    return next
  }

  act(now: number): void {
    const { writes } = this.#parts
    for (const executor of this.#lost.values())
      if (executor.at <= now) writes.add(this.#takeAll(executor, now), { executor: executor.name })
  }

  async #takeAll(executor: LostExecutor, now: number): Promise<void> {
    const { queue, closing } = this.#parts
    const { namespace, name } = executor
    executor.at = now + RETRY_MS
    const held = [...queue.running(namespace, name)].filter((process) => !closing.has(keyOf(process)))
    await Promise.all(held.map((process) => this.#take(process, name)))
    const key = keyOf(executor)
    const holdsNothing = queue.running(namespace, name).next().done === true
    if (holdsNothing && this.#lost.get(key) === executor) this.#lost.delete(key)
  }

  async #take(process: QueuedProcess, executor: string): Promise<void> {
    const { requeue, attemptEvents } = this.#parts
    attemptEvents.failed(await requeue.executorLost(process, executor, process.attempt))
  }
}
