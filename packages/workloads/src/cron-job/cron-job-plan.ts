// Decides what a CronJob needs: which ends of its Jobs go into its status, which ended Jobs are beyond the limits, and whether a tick is
// due. Pure. A tick's Job has a name that follows from the tick, so that a start that was not recorded is found and not repeated.

import { planTicks, type TickSource } from '@homeostat/base/ticks'
import { parseRfc3339 } from '@homeostat/meta'
import type { EventInput } from '@homeostat/meta/events'
import type { CronJob, CronJobStatus, Job, JobReference } from '../kinds.ts'
import { jobName } from './cron-job-manifest.ts'

export interface CronJobPlan {
  /** What the Jobs mean for the status; `start` is not in it. */
  readonly status: CronJobStatus
  readonly events: readonly EventInput[]
  /** Ended Jobs beyond the limits, the oldest first. */
  readonly remove: readonly Job[]
  readonly start?: { readonly tick: number; readonly replaces: readonly JobReference[] }
  readonly requeueAfterMs?: number
}

/** A look at least so often, since the clock may be set while a timer runs. */
const LONGEST_WAIT_MS = 60_000

/** `jobs` are those that the CronJob controls; `ticks` as text is why there are none. */
export function planCronJob(
  cronJob: CronJob,
  jobs: readonly Job[],
  ticks: TickSource | string,
  now: number,
): CronJobPlan {
  const seen = observe(cronJob, jobs)
  const { status, events } = seen
  const remove = beyondLimits(cronJob, jobs)
  const base = { status, events, remove }
  if (cronJob.metadata.deletionTimestamp !== undefined || cronJob.spec?.suspend === true) return base
  if (typeof ticks === 'string') {
    const message = `invalid schedule: ${cronJob.spec?.schedule} : ${ticks}`
    return { ...base, events: [...events, { type: 'Warning', reason: 'InvalidSchedule', message }] }
  }
  return { ...base, ...nextStart(cronJob, base, ticks, now) }
}

function nextStart(
  { metadata, spec = {} }: CronJob,
  { status, events }: Pick<CronJobPlan, 'status' | 'events'>,
  ticks: TickSource,
  now: number,
): Pick<CronJobPlan, 'events' | 'start' | 'requeueAfterMs'> {
  const { startingDeadlineSeconds: deadline, concurrencyPolicy } = spec
  const since = parseRfc3339(metadata.creationTimestamp ?? '') ?? now
  const lastTick = parseRfc3339(status.lastScheduleTime ?? '')
  const state = { lastTick, since: lastTick ?? since }
  const policy = deadline === undefined ? {} : { startingDeadlineMs: Number(deadline) * 1000 }
  const { due, missed, next } = planTicks(ticks, state, policy, now)
  const wait = { requeueAfterMs: Math.min(LONGEST_WAIT_MS, (next?.at ?? Number.POSITIVE_INFINITY) - now) }
  const [tick] = due
  if (tick === undefined)
    return missed ? { ...wait, events: [...events, missedEvent(ticks, state.since, now)] } : { ...wait, events }
  const active = status.active ?? []
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    return { ...wait, events: [...events, { reason: 'JobAlreadyActive', message: ALREADY_ACTIVE }] }
  }
  const name = jobName(metadata.name ?? '', tick)
  const replaces = concurrencyPolicy === 'Replace' ? active.filter((one) => one.name !== name) : []
  return { ...wait, events, start: { tick, replaces } }
}

const ALREADY_ACTIVE = 'Not starting job because prior execution is running and concurrency policy is Forbid'

function missedEvent(ticks: TickSource, since: number, now: number): EventInput {
  const [tick = now] = ticks.last(1, since, now)
  const message = `Missed scheduled time to start a job: ${new Date(tick).toUTCString()}`
  return { type: 'Warning', reason: 'MissSchedule', message }
}

/** The status after the Jobs that ended or went, and what is to be told of them. */
function observe({ status = {} }: CronJob, jobs: readonly Job[]): Pick<CronJobPlan, 'status' | 'events'> {
  const events: EventInput[] = []
  const byUid = new Map(jobs.map((job) => [job.metadata.uid, job]))
  const known = new Set((status.active ?? []).map(({ uid }) => uid))
  const active = (status.active ?? []).filter(({ uid, name }) => {
    const job = byUid.get(uid)
    const end = job && endOf(job)
    if (job === undefined) events.push({ reason: 'MissingJob', message: `Active job went missing: ${name}` })
    if (end !== undefined) {
      events.push({ reason: 'SawCompletedJob', message: `Saw completed job: ${name}, condition: ${end}` })
    }
    return job !== undefined && end === undefined
  })
  for (const job of jobs) {
    const { uid = '', deletionTimestamp } = job.metadata
    if (known.has(uid) || deletionTimestamp !== undefined || endOf(job) !== undefined) continue
    const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`
    events.push({ type: 'Warning', reason: 'UnexpectedJob', message })
  }
  const succeeded = jobs.flatMap((job) => (endOf(job) === 'Complete' ? [job.status?.completionTime ?? ''] : []))
  const lastSuccessfulTime = [status.lastSuccessfulTime ?? '', ...succeeded].reduce(later)
  const { active: _, lastSuccessfulTime: __, ...kept } = status
  return {
    status: {
      ...(active.length > 0 && { active }),
      ...kept,
      ...(lastSuccessfulTime !== '' && { lastSuccessfulTime }),
    },
    events,
  }
}

function later(a: string, b: string): string {
  return (parseRfc3339(b) ?? 0) > (parseRfc3339(a) ?? 0) ? b : a
}

export function endOf({ status }: Job): 'Complete' | 'Failed' | undefined {
  const found = status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  )
  return found?.type as 'Complete' | 'Failed' | undefined
}

function beyondLimits({ spec = {} }: CronJob, jobs: readonly Job[]): Job[] {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = spec
  const oldest = (end: 'Complete' | 'Failed', limit: number | undefined) => {
    if (limit === undefined) return []
    const ended = jobs.filter((job) => endOf(job) === end).sort(byStart)
    return ended.slice(0, Math.max(0, ended.length - limit)).filter(({ metadata }) => !metadata.deletionTimestamp)
  }
  return [...oldest('Complete', successfulJobsHistoryLimit), ...oldest('Failed', failedJobsHistoryLimit)]
}

/** Those that never started last. */
function byStart(a: Job, b: Job): number {
  const [one, other] = [startOf(a), startOf(b)]
  if (one !== other) return one < other ? -1 : 1
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}

function startOf({ status }: Job): number {
  return parseRfc3339(status?.startTime ?? '') ?? Number.POSITIVE_INFINITY
}
