// What happens because time passes: deadlines, retries that come due, cancels, executors that fell silent, Processes
// that have been kept long enough. One timer for all of it.

import type { Api } from '@homeostat/apiserver'
import type { Clock, Log } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { Due } from '../queue/deadlines.ts'
import type { ExecutorBook } from '../queue/executor-book.ts'
import type { ProcessQueue } from '../queue/process-queue.ts'
import type { QueuedProcess } from '../queue/queued-process.ts'
import { cancelled, execExceeded, executorLost, waitExceeded } from '../queue/transitions.ts'
import type { Assignments } from './assignments.ts'
import type { ExecutorFacts } from './executor-facts.ts'
import type { Presence } from './presence.ts'
import { keyOf, PROCESSES } from './resources.ts'
import type { RunEvents } from './run-events.ts'
import type { Step, Steps } from './steps.ts'

export interface TimeKeeperParts {
  readonly api: Api
  readonly steps: Steps
  readonly queue: ProcessQueue
  readonly book: ExecutorBook
  readonly assignments: Assignments
  readonly presence: Presence
  readonly executors: ReadonlyMap<string, ExecutorFacts>
  /** Processes that are being closed. */
  readonly closing: ReadonlySet<string>
  readonly clock: Clock
  readonly log: Log
  readonly runs: RunEvents
  /** Called before anybody is judged by their silence. */
  lookForPause(): void
}

/** Writes that may be under way at the same time; what is due beyond it comes a little later. */
const MOST_WRITES = 256
const BUSY_MS = 10
const RETRY_MS = 1000

interface LostExecutor {
  readonly namespace: string
  readonly name: string
  /** When it is looked at next. */
  at: number
}

export class TimeKeeper {
  readonly #parts: TimeKeeperParts
  /** Executors that were lost and may still hold something. */
  readonly #lost = new Map<string, LostExecutor>()
  readonly #writes = new Set<Promise<void>>()
  #timer: { readonly at: number; readonly cancel: () => void } | undefined
  #closed = false

  constructor(parts: TimeKeeperParts) {
    this.#parts = parts
  }

  /** Something changed: looks when it has to act next. */
  look(): void {
    if (this.#closed) return
    const { clock } = this.#parts
    const next = this.#nextTime()
    if (next === undefined) return
    const now = clock.now()
    const at = Math.max(next, this.#writes.size < MOST_WRITES ? now : now + BUSY_MS)
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const act = () => {
      this.#timer = undefined
      this.#act()
      this.look()
    }
    this.#timer = { at, cancel: at > now ? clock.setTimer(at - now, act) : soon(act) }
  }

  /** The clock jumped: a timer may be late by the time in which the machine slept. */
  resumed(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.look()
  }

  /** What the executor held goes back to the queue. */
  executorGone(namespace: string, name: string): void {
    this.#lost.set(keyOf({ namespace, name }), { namespace, name, at: this.#parts.clock.now() })
    this.look()
  }

  /** It is there again: what it is given from now on is its own. */
  executorBack(namespace: string, name: string): void {
    this.#lost.delete(keyOf({ namespace, name }))
  }

  /** Resolves when the last write has ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#timer?.cancel()
    await Promise.all(this.#writes)
  }

  #nextTime(): number | undefined {
    const { queue, book, presence } = this.#parts
    let next = Number.POSITIVE_INFINITY
    for (const time of [queue.nextTime(), book.nextTime(), presence.nextTime()])
      if (time !== undefined && time < next) next = time
    for (const { at } of this.#lost.values()) if (at < next) next = at
    return next === Number.POSITIVE_INFINITY ? undefined : next
  }

  #act(): void {
    const { queue, book, assignments, presence, clock, lookForPause } = this.#parts
    lookForPause()
    const now = clock.now()
    for (const { namespace, executorType } of queue.ripe(now)) assignments.offer(namespace, executorType)
    const room = MOST_WRITES - this.#writes.size
    if (room > 0)
      for (const due of queue.due(now, room)) this.#write(this.#carryOut(due, now), { process: due.process.name })
    for (const { namespace, name } of book.lost(now)) {
      this.#lost.set(keyOf({ namespace, name }), { namespace, name, at: now })
      const executor = this.#parts.executors.get(keyOf({ namespace, name }))
      if (executor !== undefined) this.#write(presence.lost(executor), { executor: name })
    }
    for (const executor of this.#lost.values()) {
      if (executor.at <= now) this.#write(this.#requeue(executor, now), { executor: executor.name })
    }
    this.#write(presence.sweep(), {})
  }

  /** Whoever is due comes again when it fails. One that has moved on, or was set aside, is due no more. */
  #write(work: Promise<void>, about: object): void {
    const { log } = this.#parts
    const write = work
      .catch((error: unknown) => {
        if (isStatusError(error, 'Conflict')) return
        log.warn({ ...about, err: error }, 'what was due could not be done; it is tried again')
      })
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  async #carryOut({ process, why }: Due, now: number): Promise<void> {
    const { api, steps, closing, runs } = this.#parts
    if (closing.has(keyOf(process))) return
    const { namespace, name, uid } = process
    if (why === 'delete') {
      await api.delete(PROCESSES, { namespace, name }, { preconditions: { uid } })
      return
    }
    const told = why === 'cancel-grace' ? process.attempt : undefined
    const written = await steps.take(process, (spec, status) => {
      if (why === 'wait-exceeded') return waitExceeded(spec, status, now)
      if (why === 'exec-exceeded') return execExceeded(spec, status, now)
      return cancelled(spec, status, now, told)
    })
    runs.failed(written)
  }

  /** One that cannot be taken from it keeps nobody from the others. */
  async #lose(process: QueuedProcess, executor: string, now: number): Promise<void> {
    const { steps, runs } = this.#parts
    try {
      const lose: Step = (spec, status) => executorLost(spec, status, executor, process.attempt, now)
      runs.failed(await steps.take(process, lose))
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw error
    }
  }

  async #requeue(executor: LostExecutor, now: number): Promise<void> {
    const { queue, closing } = this.#parts
    const { namespace, name } = executor
    executor.at = now + RETRY_MS
    const held = [...queue.running(namespace, name)]
    await Promise.all(
      held.filter((process) => !closing.has(keyOf(process))).map((process) => this.#lose(process, name, now)),
    )
    const key = keyOf(executor)
    if ([...queue.running(namespace, name)].length === 0 && this.#lost.get(key) === executor) this.#lost.delete(key)
  }
}

/** What is due already needs no clock; it only must not happen inside of whatever noticed it. */
function soon(act: () => void): () => void {
  let cancelled = false
  queueMicrotask(() => {
    if (!cancelled) act()
  })
  return () => {
    cancelled = true
  }
}
