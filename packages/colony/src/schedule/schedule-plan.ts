// Decides the next step of a Schedule, from its committed status and its runs. Pure. A run is recorded as pending, made under
// a name that follows from its tick, and confirmed: whichever step a crash follows, the next one is repeated and nothing is made
// twice.

import type { PendingRun, Schedule, ScheduleStatus } from '@homeostat/executor/schedules'
import { hash32 } from '../queue/hash32.ts'
import { nextRun, planOf, type Ticking, timingOf } from './schedule-ticks.ts'

/** A Process or ProcessGraph that the schedule has made. */
export interface ScheduleRun {
  readonly kind: 'Process' | 'ProcessGraph'
  readonly name: string
  readonly uid: string
  /** When it was made. */
  readonly madeAt: number
  readonly result: 'Succeeded' | 'Failed' | 'Cancelled' | undefined
  readonly finishedAt: number | undefined
  /** Somebody has asked for its end. It is not active any more, since a cancelled run never blocks the next. */
  readonly cancel: boolean
}

export interface Situation {
  readonly ticking: Ticking
  readonly name: string
  readonly status: ScheduleStatus
  readonly runs: readonly ScheduleRun[]
  /** A run that somebody asked for. */
  readonly byHand: PendingRun | undefined
}

export type ScheduleStep =
  /** Write the status: the spec has changed, or a tick is skipped. */
  | {
      readonly do: 'write'
      readonly status: ScheduleStatus
      readonly why: 'observe' | 'skip' | 'begin'
      readonly missed: boolean
    }
  /** Make the pending run, after a cancel of those that it replaces; then write the status. */
  | {
      readonly do: 'make'
      readonly pending: PendingRun
      readonly cancel: readonly ScheduleRun[]
      readonly status: ScheduleStatus
    }
  /** The run that somebody asked for is forbidden by this one. */
  | { readonly do: 'refuse'; readonly active: string }
  | { readonly do: 'remove'; readonly runs: readonly ScheduleRun[] }
  | { readonly do: 'wait'; readonly until: number | undefined }

const SUCCESSFUL = 3
const FAILED = 1
const TTL_SECONDS = 604_800

export function nextStep(situation: Situation, now: number): ScheduleStep {
  const { ticking, status, runs, byHand } = situation
  const { spec } = ticking
  const active = runs.filter(({ result, cancel }) => result === undefined && !cancel)
  if (status.pending !== undefined) return make(situation, status.pending, active, now)
  if (byHand !== undefined) return begin(situation, byHand, active, false)
  const observed = observedStatus(situation, now)
  if (observed !== undefined) return { do: 'write', status: observed, why: 'observe', missed: false }
  const old = toRemove(spec, runs, now)
  if (old.length > 0) return { do: 'remove', runs: old }
  const plan = spec.suspend ? undefined : planOf(ticking, status, now)
  const [tick] = plan?.due ?? []
  if (plan !== undefined && tick !== undefined) {
    const time = new Date(tick).toISOString()
    return begin(situation, { name: runName(situation.name, ticking.uid, tick), time, tick: time }, active, plan.missed)
  }
  return { do: 'wait', until: earliest(plan?.next?.at, nextRemoval(spec, runs)) }
}

/** The name of the run of a tick. Names of one schedule sort by time. */
export function runName(schedule: string, uid: string, tick: number): string {
  const stem = schedule.slice(0, 40).replace(/[^a-z0-9]+$/, '')
  const seconds = Math.floor(tick / 1000)
    .toString(36)
    .padStart(7, '0')
  return `${stem}-${seconds}-${hash32(`${uid}/${tick}`).toString(36).padStart(7, '0')}`
}

/** Undefined unless the spec's timing or suspension is another than before. */
function observedStatus({ ticking: { spec }, status }: Situation, now: number): ScheduleStatus | undefined {
  const timing = timingOf(spec)
  const suspended = spec.suspend === true
  if (timing === status.timing && suspended === (status.suspended === true)) return undefined
  const { suspended: _, nextRun: __, lastTick, ...kept } = status
  const isNewTiming = timing !== status.timing
  return {
    ...kept,
    // One time that is changed is due again; ticks of the old timing mean nothing for the new.
    ...(lastTick !== undefined && !isNewTiming && { lastTick }),
    timing,
    ...(suspended ? { suspended } : {}),
    ...((isNewTiming || !suspended) && { since: new Date(now).toISOString() }),
  }
}

function begin(
  { ticking: { spec }, status }: Situation,
  pending: PendingRun,
  active: readonly ScheduleRun[],
  missed: boolean,
): ScheduleStep {
  const [blocking] = spec.concurrencyPolicy === 'Forbid' ? active : []
  if (blocking === undefined) return { do: 'write', status: { ...status, pending }, why: 'begin', missed }
  if (pending.tick === undefined) return { do: 'refuse', active: blocking.name }
  const skippedTicks = (status.skippedTicks ?? 0) + 1
  return { do: 'write', status: { ...status, lastTick: pending.tick, skippedTicks }, why: 'skip', missed }
}

function make(
  { ticking, status }: Situation,
  pending: PendingRun,
  active: readonly ScheduleRun[],
  now: number,
): ScheduleStep {
  const { pending: _, nextRun: __, ...rest } = status
  const done = {
    ...rest,
    ...(pending.tick && { lastTick: pending.tick }),
    lastRun: { name: pending.name, time: pending.time },
  }
  const replaced =
    ticking.spec.concurrencyPolicy === 'Replace' ? active.filter(({ name }) => name !== pending.name) : []
  const next = ticking.spec.suspend ? {} : nextRun(planOf(ticking, done, now))
  return { do: 'make', pending, cancel: replaced, status: { ...done, ...next } }
}

/** Ended runs beyond the limits, the oldest first, and those that are too old. */
function toRemove(spec: Schedule['spec'], runs: readonly ScheduleRun[], now: number): ScheduleRun[] {
  const ttl = ttlOf(spec)
  const ended = runs.filter(({ result }) => result !== undefined).sort((a, b) => b.madeAt - a.madeAt)
  const succeeded = ended.filter(({ result }) => result === 'Succeeded')
  const others = ended.filter(({ result }) => result !== 'Succeeded')
  const kept = new Set([
    ...succeeded.slice(0, spec.successfulRunsHistoryLimit ?? SUCCESSFUL),
    ...others.slice(0, spec.failedRunsHistoryLimit ?? FAILED),
  ])
  return ended.filter((run) => !kept.has(run) || (run.finishedAt ?? now) + ttl <= now).reverse()
}

function nextRemoval(spec: Schedule['spec'], runs: readonly ScheduleRun[]): number | undefined {
  const times = runs.flatMap(({ finishedAt }) => (finishedAt === undefined ? [] : [finishedAt + ttlOf(spec)]))
  return earliest(...times)
}

function ttlOf({ runTtlSeconds = TTL_SECONDS }: Schedule['spec']): number {
  return runTtlSeconds * 1000
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
