// One timer for everything that happens because time passes: each part of the colony says when it has work next, and all
// are called at the earliest of these times. It also notices when the server itself did not run for a while.

import { type Clock, type Log, PauseWatch } from '@homeostat/base'
import type { BackgroundWrites } from './background-writes.ts'

/** A part of the colony that acts because time passes. */
export interface TimedWork {
  /** When it has something to do next, in ms since the epoch. 0: at once. */
  nextTime(): number | undefined
  /** Does what is due. It is also called when only another part has something due. */
  act(now: number): void
  /** The server did not run until now: silence counts from here on. */
  resumed?(now: number): void
}

export interface SharedTimerParts {
  readonly clock: Clock
  readonly log: Log
  readonly writes: BackgroundWrites
  /** A longer gap in which the server did not run is a pause. */
  readonly longestPauseMs: number
}

/** While too many writes are under way, what is due waits this long. */
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

  /** Something changed: sets the timer to when there is something to do next. */
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

  /** Looks for a pause first: nobody is judged by a silence in which the server could not hear. */
  #act(): void {
    this.#pauses.look()
    const now = this.#parts.clock.now()
    for (const work of this.#work) work.act(now)
  }

  /** Deadlines that were promised (ttl, maxWaitSeconds, maxExecSeconds) went on meanwhile. */
  #resumed(ms: number): void {
    const { clock, log } = this.#parts
    log.warn({ seconds: Math.round(ms / 1000) }, 'the server did not run for a while; executors have time to be heard')
    const now = clock.now()
    for (const work of this.#work) work.resumed?.(now)
    // The timer may be late by the time in which the machine slept.
    this.#timer?.cancel()
    this.#timer = undefined
    this.update()
  }
}

/** What is due already needs no clock; it only must not run inside its caller. */
function soon(act: () => void): () => void {
  let cancelled = false
  queueMicrotask(() => {
    if (!cancelled) act()
  })
  return () => {
    cancelled = true
  }
}
