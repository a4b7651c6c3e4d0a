// When a schedule is due next, by the same planner as the server's. Pure.

import { planOf, sinceOf, ticksOf } from '@homeostat/colony/schedule'
import type { ScheduleSpec, ScheduleStatus } from '@homeostat/executor/schedules'

export interface NextRuns {
  /** Milliseconds, with the jitter of the schedule. */
  readonly times: readonly number[]
  readonly problem: string | undefined
}

export function nextRuns(
  spec: ScheduleSpec,
  status: ScheduleStatus,
  uid: string,
  now: number,
  count: number,
): NextRuns {
  if (spec.suspend) return { times: [], problem: undefined }
  try {
    const since = sinceOf(status, now)
    const source = ticksOf(spec, since)
    const { next, due } = planOf({ spec, uid, source }, status, now)
    const times = due.length > 0 ? [now] : []
    const offset = next === undefined ? 0 : next.at - next.tick
    for (let tick = next?.tick; tick !== undefined && times.length < count; tick = source.after(tick))
      times.push(tick + offset)
    return { times, problem: undefined }
  } catch (error) {
    return { times: [], problem: (error as Error).message }
  }
}
