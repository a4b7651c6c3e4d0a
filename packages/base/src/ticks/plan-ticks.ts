// Decides which ticks of a schedule are due, and when to look again. Pure: the clock is an argument. Schedules of the colony and
// CronJobs use it.

import type { TickSource } from './tick-source.ts'

export interface TickState {
  /** The last tick that was decided. A tick at or before it is never due again, also when the clock was set back. */
  readonly lastTick: number | undefined
  /** Only later ticks count: when the schedule was made, changed or resumed. */
  readonly since: number
}

export interface TickPolicy {
  /** A tick that is older is not run any more. Undefined: however old. */
  readonly startingDeadlineMs?: number | undefined
  /** So many ticks are due at most, the newest; at least 1. */
  readonly catchUp?: number | undefined
  /** Everything happens this much later. */
  readonly offsetMs?: number | undefined
}

export interface TickPlan {
  /** The oldest first. */
  readonly due: readonly number[]
  /** Whether ticks before those were given up: there were too many, or they were too old. */
  readonly missed: boolean
  /** The next tick after now, and when it is due. */
  readonly next: { readonly tick: number; readonly at: number } | undefined
}

export function planTicks(source: TickSource, state: TickState, policy: TickPolicy, now: number): TickPlan {
  const { startingDeadlineMs, catchUp = 1, offsetMs = 0 } = policy
  const base = Math.max(state.since, state.lastTick ?? Number.NEGATIVE_INFINITY)
  const until = now - offsetMs
  const oldest = startingDeadlineMs === undefined ? base : Math.max(base, until - startingDeadlineMs - 1)
  const due = source.last(Math.max(1, catchUp), oldest, until)
  const first = source.after(base)
  const missed = first !== undefined && first <= until && first < (due[0] ?? Number.POSITIVE_INFINITY)
  const tick = source.after(Math.max(base, until))
  return { due, missed, next: tick === undefined ? undefined : { tick, at: tick + offsetMs } }
}
