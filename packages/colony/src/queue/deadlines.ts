// Deadlines of Processes: when one fails, is cancelled or is deleted. Each is handed out once, and again after RETRY_MS
// while the committed state has not changed. A part of the process queue.

import type { Entry } from './entry.ts'
import { BY_DEADLINE } from './entry-orders.ts'
import { Heap } from './heap.ts'
import type { QueuedProcess } from './queued-process.ts'

/** How long a running Process may go on after its cancel was seen. */
export const CANCEL_GRACE_MS = 30_000
/** After this, a deadline whose write did not succeed is handed out again. */
export const RETRY_MS = 1000

export interface Due {
  readonly process: QueuedProcess
  readonly why: 'wait-exceeded' | 'exec-exceeded' | 'delete' | 'cancel' | 'cancel-grace'
}

export class Deadlines {
  readonly #coming = new Heap(BY_DEADLINE)
  /** Entries whose deadline has passed; the oldest first. */
  readonly #overdue = new Set<Entry>()

  enter(entry: Entry): void {
    const time = timeOf(entry)
    if (time === undefined) return
    entry.time = Math.max(time, entry.retryAt)
    this.#coming.add(entry)
  }

  leave(entry: Entry): void {
    this.#coming.remove(entry)
    this.#overdue.delete(entry)
  }

  /** Returns the entries whose deadline has passed since the last call. */
  advance(now: number): Entry[] {
    const come: Entry[] = []
    for (;;) {
      const entry = this.#coming.peek()
      if (!entry || entry.time > now) return come
      this.#coming.remove(entry)
      if (isCancelledAttempt(entry)) entry.cancelSeen ??= now
      if (dueReason(entry, now)) {
        this.#overdue.add(entry)
        come.push(entry)
      } else {
        this.enter(entry)
      }
    }
  }

  take(now: number, limit: number): Due[] {
    const due: Due[] = []
    for (const entry of this.#overdue) {
      if (due.length >= limit) break
      this.#overdue.delete(entry)
      const why = dueReason(entry, now)
      if (why) {
        due.push({ process: entry.process, why })
        entry.retryAt = now + RETRY_MS
      }
      this.enter(entry)
    }
    return due
  }

  /** The time of the earliest deadline; 0 means at once. */
  nextTime(): number | undefined {
    return this.#overdue.size > 0 ? 0 : this.#coming.peek()?.time
  }
}

/** The next deadline of an entry. There is no clock here: a deadline that is due at once has the time 0. */
function timeOf({ process, cancelSeen }: Entry): number | undefined {
  if (process.phase === 'Ended') return process.deleteAt
  if (process.phase === 'Waiting') return process.cancel ? 0 : process.waitDeadline
  if (!process.cancel) return process.execDeadline
  return cancelSeen === undefined ? 0 : Math.min(cancelSeen + CANCEL_GRACE_MS, process.execDeadline ?? Infinity)
}

function dueReason({ process, cancelSeen }: Entry, now: number): Due['why'] | undefined {
  const { phase, cancel, deleteAt, waitDeadline, execDeadline } = process
  if (phase === 'Ended') return reached(deleteAt, now) ? 'delete' : undefined
  if (phase === 'Waiting') return cancel ? 'cancel' : reached(waitDeadline, now) ? 'wait-exceeded' : undefined
  if (cancel && cancelSeen !== undefined && cancelSeen + CANCEL_GRACE_MS <= now) return 'cancel-grace'
  return reached(execDeadline, now) ? 'exec-exceeded' : undefined
}

function isCancelledAttempt({ process }: Entry): boolean {
  return process.phase === 'Running' && process.cancel
}

function reached(time: number | undefined, now: number): boolean {
  return time !== undefined && time <= now
}
