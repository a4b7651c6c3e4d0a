// Acts on the deadlines of Processes: fails those that waited or ran too long, ends cancelled ones, and deletes those
// whose ttl has passed.

import type { Api } from '@homeostat/apiserver'
import type { AttemptEvents } from '../events/attempt-events.ts'
import { keyOf, PROCESSES } from '../kinds/resources.ts'
import type { Due } from '../queue/deadlines.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { cancelled, execExceeded, waitExceeded } from '../queue/transitions.ts'
import type { BackgroundWrites } from '../time/background-writes.ts'
import type { TimedWork } from '../time/shared-timer.ts'
import type { Transition, TransitionWriter } from './transition-writer.ts'

export interface DueProcessesParts {
  readonly api: Api
  readonly queue: ProcessQueue
  readonly writer: TransitionWriter
  readonly writes: BackgroundWrites
  readonly attemptEvents: AttemptEvents
  /** Keys of Processes whose close is in progress: a deadline does not end them. */
  readonly closing: ReadonlySet<string>
  /** Whether a graph that has not ended needs the Process. */
  isNeeded(process: QueuedProcess): boolean
}

/** After this, it is looked again whether a Process whose ttl has passed is still needed. */
const NEEDED_MS = 10_000

export class DueProcesses implements TimedWork {
  readonly #parts: DueProcessesParts

  constructor(parts: DueProcessesParts) {
    this.#parts = parts
  }

  nextTime(): number | undefined {
    return this.#parts.queue.nextDue()
  }

  act(now: number): void {
    const { queue, writes } = this.#parts
    if (writes.room <= 0) return
    for (const due of queue.due(now, writes.room)) writes.add(this.#carryOut(due, now), { process: due.process.name })
  }

  resumed(now: number): void {
    this.#parts.queue.resumed(now)
  }

  async #carryOut(due: Due, now: number): Promise<void> {
    const { api, writer, closing, attemptEvents } = this.#parts
    const { namespace, name, uid } = due.process
    if (closing.has(keyOf(due.process))) return
    if (due.why === 'delete' && this.#parts.isNeeded(due.process)) {
      this.#parts.queue.postpone(namespace, name, now + NEEDED_MS)
    } else if (due.why === 'delete') await api.delete(PROCESSES, { namespace, name }, { preconditions: { uid } })
    else attemptEvents.failed(await writer.write(due.process, transitionOf(due, now)))
  }
}

function transitionOf({ process, why }: Due, now: number): Transition {
  if (why === 'wait-exceeded') return (spec, status) => waitExceeded(spec, status, now)
  if (why === 'exec-exceeded') return (spec, status) => execExceeded(spec, status, now)
  const attempt = why === 'cancel-grace' ? process.attempt : undefined
  return (spec, status) => cancelled(spec, status, now, attempt)
}
