// One timer for all work that depends on time: each part of the colony returns when its next work is due, and all are
// called at the earliest of these times. It also detects pauses, in which the server process did not run.

import { type Clock, type Log, PauseWatch } from '@homeostat/base'
import type { BackgroundWrites } from './background-writes.ts'

/** A part of the colony with work that is due at some time. */
export interface TimedWork {
  /** When its next work is due, in ms since the epoch. 0: at once. */
  nextTime(): number | undefined
  /** Does the work that is due. It is also called when only another part has work due. */
  act(now: number): void
  /** Called after a pause of the server: silence counts from now on. */
  resumed?(now: number): void
}

export interface SharedTimerParts {
  readonly clock: Clock
  readonly log: Log
  readonly writes: BackgroundWrites
  /** A longer gap in which the server did not run counts as a pause. */
  readonly longestPauseMs: number
}

/** Wait before the next try while too many writes are in progress. */
const BUSY_MS = 10

export class SharedTimer {
  readonly #parts: SharedTimerParts
  readonly #pauses: PauseWatch
  #work: readonly TimedWork[] = []
  #timer: { readonly at: number; readonly cancel: () => void } | undefined
  #closed = false

  constructor(parts: SharedTimerParts) {
    this.#parts = parts
    const { clock, longestPauseMs: longestMs } = parts
    this.#pauses = new PauseWatch({
      clock,
      longestMs,
      everyMs: longestMs / 5,
      onPause: (ms) => this.#resumed(ms),
    })
  }

  open(work: readonly TimedWork[]): void {
    this.#work = work
    this.update()
  }

  /** Sets the timer to the earliest due time; called after every change. */
  update(): void {
    if (this.#closed) return
    const { clock, writes } = this.#parts
    const next = this.#nextTime()
    if (next === undefined) return
    const now = clock.now()
    const at = Math.max(next, writes.room > 0 ? now : now + BUSY_MS)
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const act = () => {
      this.#timer = undefined
      this.#act()
      this.update()
    }
    this.#timer = { at, cancel: at > now ? clock.setTimer(at - now, act) : soon(act) }
  }

  close(): void {
    this.#closed = true
    this.#pauses.close()
    this.#timer?.cancel()
  }

  #nextTime(): number | undefined {
    let next: number | undefined
    for (const work of this.#work) {
      const time = work.nextTime()
      if (time !== undefined && (next === undefined || time < next)) next = time
    }
    return next
  }

  /** Checks for a pause first: no executor is lost for calls that the server could not receive. */
  #act(): void {
    this.#pauses.look()
    const now = this.#parts.clock.now()
    for (const work of this.#work) work.act(now)
  }

  /** Deadlines of the spec (ttl, maxWaitSeconds, maxExecSeconds) are not extended. */
  #resumed(ms: number): void {
    const { clock, log } = this.#parts
    log.warn({ seconds: Math.round(ms / 1000) }, 'the server did not run for a while; executors have time to be heard')
    const now = clock.now()
    for (const work of this.#work) work.resumed?.(now)
    // The timer is late by the time in which the machine slept.
    this.#timer?.cancel()
    this.#timer = undefined
    this.update()
  }
}

/** Work that is already due needs no clock, but must not run inside the caller. */
function soon(act: () => void): () => void {
  let cancelled = false
  queueMicrotask(() => {
    if (!cancelled) act()
  })
  return () => {
    cancelled = true
  }
}
