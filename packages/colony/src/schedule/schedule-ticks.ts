// The ticks of a Schedule, from its spec. Pure.

import {
  intervalTicks,
  onceTicks,
  planTicks,
  type TickPlan,
  type TickPolicy,
  type TickSource,
  type TickState,
} from '@homeostat/base/ticks'
import type { ScheduleSpec, ScheduleStatus } from '@homeostat/executor/schedules'
import { parseRfc3339 } from '@homeostat/meta'
import { hash32 } from '../queue/hash32.ts'
import { cronTicks } from './cron-ticks.ts'

/** What the ticks follow from: a change of it makes earlier ticks meaningless. */
export function timingOf({ cron, timeZone, intervalSeconds, at }: ScheduleSpec): string {
  if (cron !== undefined) return `cron ${cron} ${timeZone ?? 'UTC'}`
  return intervalSeconds === undefined ? `at ${at}` : `every ${intervalSeconds}`
}

/** Throws for a cron expression or a time zone that is none. An interval counts from `since`. */
export function ticksOf({ cron, timeZone, intervalSeconds, at }: ScheduleSpec, since: number): TickSource {
  if (cron !== undefined) return cronTicks(cron, timeZone)
  if (intervalSeconds !== undefined) return intervalTicks(intervalSeconds * 1000, since)
  return onceTicks(parseRfc3339(at ?? '') ?? 0)
}

export function sinceOf({ since }: ScheduleStatus, otherwise: number): number {
  return parseRfc3339(since ?? '') ?? otherwise
}

/** A schedule with the uid, and its ticks. */
export interface Ticking {
  readonly spec: ScheduleSpec
  readonly uid: string
  readonly source: TickSource
}

export function planOf({ spec, uid, source }: Ticking, status: ScheduleStatus, now: number): TickPlan {
  const state: TickState = {
    lastTick: parseRfc3339(status.lastTick ?? ''),
    // One time is due also when it has passed.
    since: spec.at === undefined ? sinceOf(status, now) : Number.NEGATIVE_INFINITY,
  }
  return planTicks(source, state, policyOf(spec, uid), now)
}

function policyOf({ startingDeadlineSeconds, catchUp, jitterSeconds = 0 }: ScheduleSpec, uid: string): TickPolicy {
  return {
    startingDeadlineMs: startingDeadlineSeconds === undefined ? undefined : startingDeadlineSeconds * 1000,
    catchUp,
    offsetMs: jitterSeconds === 0 ? 0 : hash32(uid) % (jitterSeconds * 1000),
  }
}

/** The status that a Schedule begins with. */
export function firstStatus(spec: ScheduleSpec, uid: string, now: number): ScheduleStatus {
  const status = { timing: timingOf(spec), since: new Date(now).toISOString() }
  return { ...status, ...nextRun(planOf({ spec, uid, source: ticksOf(spec, now) }, status, now)) }
}

export function nextRun({ next, due }: TickPlan): Pick<ScheduleStatus, 'nextRun'> {
  const at = due[0] ?? next?.at
  return at === undefined ? {} : { nextRun: new Date(at).toISOString() }
}
