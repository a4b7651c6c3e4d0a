// Which cancels of running Processes their executors have been notified of: a long poll is answered at once for a new one,
// and not again for the same.

import type { Attempt } from '@homeostat/executor/protocol'
import type { ExecutorName } from '../queue/executor-liveness.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import type { StateListener } from '../state/state-listener.ts'

export class CancelNotices implements StateListener {
  readonly #queue: ProcessQueue
  /** As `namespace/name#attempt`. */
  readonly #notified = new Set<string>()

  constructor(queue: ProcessQueue) {
    this.#queue = queue
  }

  /** Whether there is a cancel that the executor does not know of. Attempts that it closes just now do not count. */
  hasNew({ namespace, name }: ExecutorName, closed: readonly Attempt[]): boolean {
    for (const attempt of this.#cancelled(namespace, name)) {
      if (this.#notified.has(idOf(namespace, attempt))) continue
      if (!closed.some(({ process }) => process === attempt.process)) return true
    }
    return false
  }

  /** All that the executor runs and should end; it counts as notified. */
  take({ namespace, name }: ExecutorName): Attempt[] {
    const cancelled = this.#cancelled(namespace, name)
    this.notified(namespace, cancelled)
    return cancelled
  }

  notified(namespace: string, attempts: readonly Attempt[]): void {
    for (const attempt of attempts) this.#notified.add(idOf(namespace, attempt))
  }

  processChanged({ phase, attempt }: QueuedProcess, before: QueuedProcess | undefined): void {
    if (before?.phase === 'Running' && (phase !== 'Running' || before.attempt !== attempt)) this.#forget(before)
  }

  processGone(before: QueuedProcess | undefined): void {
    if (before?.phase === 'Running') this.#forget(before)
  }

  #cancelled(namespace: string, executor: string): Attempt[] {
    const cancelled: Attempt[] = []
    for (const { name, attempt, cancel } of this.#queue.running(namespace, executor)) {
      if (cancel) cancelled.push({ process: name, attempt })
    }
    return cancelled
  }

  #forget({ namespace, name, attempt }: QueuedProcess): void {
    this.#notified.delete(idOf(namespace, { process: name, attempt }))
  }
}

function idOf(namespace: string, { process, attempt }: Attempt): string {
  return `${namespace}/${process}#${attempt}`
}
