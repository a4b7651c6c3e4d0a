import { intervalTicks } from '@homeostat/base/ticks'
import { describe, expect, it } from 'vitest'
import type { CronJob, Job } from '../kinds.ts'
import { jobManifest } from './cron-job-manifest.ts'
import { planCronJob } from './cron-job-plan.ts'

const at = (time: string) => `2026-01-01T${time}Z`
const ms = (time: string) => Date.parse(at(time))
/** Every five minutes from 12:00 on. */
const ticks = intervalTicks(300_000, ms('12:00:00'))

function cronJob(spec: CronJob['spec'] = {}, status: CronJob['status'] = {}, metadata = {}): CronJob {
  const named = { name: 'c', namespace: 'n', uid: 'cu', creationTimestamp: at('12:00:00'), ...metadata }
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: named, spec, status }
}

/** `end`: `Complete 12:06:00`, `Failed`; none: it runs. */
function job(name: string, end = '', startTime = '12:00:00'): Job {
  const [type = '', time = ''] = end.split(' ')
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'n', uid: `u-${name}` },
    status: {
      startTime: at(startTime),
      ...(time !== '' && { completionTime: at(time) }),
      ...(type !== '' && { conditions: [{ type, status: 'True' }] }),
    },
  }
}

const active = (...names: string[]) => ({ active: names.map((name) => ({ name, uid: `u-${name}` })) })

/** In short: what is started, replaced and removed, and the reasons of the events. */
function plan(object: CronJob, jobs: readonly Job[], now: string, source: typeof ticks | string = ticks) {
  const { start, remove, events, requeueAfterMs } = planCronJob(object, jobs, source, ms(now))
  return [
    start === undefined ? '' : `start ${new Date(start.tick).toISOString().slice(11, 16)}`,
    ...(start?.replaces ?? []).map(({ name }) => `replace ${name}`),
    ...remove.map(({ metadata }) => `remove ${metadata.name}`),
    ...events.map(({ reason }) => reason),
    requeueAfterMs === undefined ? '' : `again in ${requeueAfterMs / 1000} s`,
  ]
    .filter(Boolean)
    .join(', ')
}

describe('the start of a job', () => {
  it('comes with the tick, once', () => {
    expect(plan(cronJob(), [], '12:00:00')).toBe('again in 60 s')
    expect(plan(cronJob(), [], '12:04:50')).toBe('again in 10 s')
    expect(plan(cronJob(), [], '12:05:00')).toBe('start 12:05, again in 60 s')
    expect(plan(cronJob({}, { lastScheduleTime: at('12:05:00') }), [], '12:05:00')).toBe('again in 60 s')
    expect(plan(cronJob({}, { lastScheduleTime: at('12:05:00') }), [], '12:10:01')).toBe('start 12:10, again in 60 s')
  })

  it('is made up for once, however many ticks were missed, and not after its deadline', () => {
    expect(plan(cronJob(), [], '18:01:00')).toBe('start 18:00, again in 60 s')
    expect(plan(cronJob({ startingDeadlineSeconds: 60 }), [], '18:01:00')).toBe('start 18:00, again in 60 s')
    expect(plan(cronJob({ startingDeadlineSeconds: 59 }), [], '18:01:00')).toBe('MissSchedule, again in 60 s')
    expect(plan(cronJob({ startingDeadlineSeconds: 2n ** 62n }), [], '18:01:00')).toBe('start 18:00, again in 60 s')
  })

  it('does not come again when the clock is set back', () => {
    expect(plan(cronJob({}, { lastScheduleTime: at('12:30:00') }), [], '12:10:00')).toBe('again in 60 s')
  })

  it('does not come while it is suspended, goes, or has no valid schedule', () => {
    expect(plan(cronJob({ suspend: true }), [], '12:05:00')).toBe('')
    expect(plan(cronJob({}, {}, { deletionTimestamp: at('12:04:00') }), [], '12:05:00')).toBe('')
    expect(plan(cronJob({ schedule: 'x' }), [], '12:05:00', 'is none')).toBe('InvalidSchedule')
  })

  it('heeds the jobs that run', () => {
    const running = active('c-1')
    expect(plan(cronJob({ concurrencyPolicy: 'Allow' }, running), [job('c-1')], '12:05:00')).toBe(
      'start 12:05, again in 60 s',
    )
    expect(plan(cronJob({ concurrencyPolicy: 'Forbid' }, running), [job('c-1')], '12:05:00')).toBe(
      'JobAlreadyActive, again in 60 s',
    )
    expect(plan(cronJob({ concurrencyPolicy: 'Replace' }, running), [job('c-1')], '12:05:00')).toBe(
      'start 12:05, replace c-1, again in 60 s',
    )
    // A job that somebody made from the template blocks nothing.
    expect(plan(cronJob({ concurrencyPolicy: 'Forbid' }), [job('by-hand')], '12:05:00')).toBe(
      'start 12:05, UnexpectedJob, again in 60 s',
    )
    expect(plan(cronJob({ concurrencyPolicy: 'Forbid' }, running), [job('c-1', 'Failed')], '12:05:00')).toBe(
      'start 12:05, SawCompletedJob, again in 60 s',
    )
    expect(plan(cronJob({ concurrencyPolicy: 'Forbid' }, running), [], '12:05:00')).toBe(
      'start 12:05, MissingJob, again in 60 s',
    )
  })
})

describe('the status', () => {
  it('has the jobs that run, and the last success', () => {
    const before = { ...active('a', 'b', 'c'), lastScheduleTime: at('12:05:00'), lastSuccessfulTime: at('12:01:00') }
    const jobs = [job('a', 'Complete 12:03:00'), job('b'), job('c', 'Failed'), job('d', 'Complete 12:02:00')]
    expect(planCronJob(cronJob({}, before), jobs, ticks, ms('12:05:00')).status).toEqual({
      ...active('b'),
      lastScheduleTime: at('12:05:00'),
      lastSuccessfulTime: at('12:03:00'),
    })
  })

  it('stays as it is when nothing happened', () => {
    const before = { ...active('a'), lastScheduleTime: at('12:05:00') }
    expect(planCronJob(cronJob({}, before), [job('a')], ticks, ms('12:06:00')).status).toEqual(before)
    expect(planCronJob(cronJob(), [], ticks, ms('12:00:00')).status).toEqual({})
  })
})

it('ended jobs beyond the limits go, the oldest first', () => {
  const jobs = [
    job('new', 'Complete', '12:03:00'),
    job('old', 'Complete', '12:01:00'),
    job('middle', 'Complete', '12:02:00'),
    job('bad', 'Failed', '12:02:00'),
    job('runs'),
  ]
  const removed = (spec: CronJob['spec']) => plan(cronJob(spec, active('runs')), jobs, '12:00:00')
  expect(removed({ successfulJobsHistoryLimit: 1 })).toBe('remove old, remove middle, again in 60 s')
  expect(removed({ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 0 })).toBe('remove bad, again in 60 s')
  expect(removed({})).toBe('again in 60 s')
})

it('a job has the name, the owner and the time of its tick', () => {
  const template = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec: { parallelism: 2 } }
  const made = jobManifest(cronJob({ jobTemplate: template, timeZone: 'America/St_Johns' }), ms('12:05:00'))
  expect(made).toMatchObject({
    metadata: {
      name: `c-${ms('12:05:00') / 60_000}`,
      namespace: 'n',
      labels: { a: 'b' },
      annotations: { c: 'd', 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T08:35:00-03:30' },
      ownerReferences: [{ kind: 'CronJob', name: 'c', uid: 'cu', controller: true, blockOwnerDeletion: true }],
    },
    spec: { parallelism: 2 },
  })
  const timeOf = (timeZone?: string) =>
    jobManifest(cronJob(timeZone === undefined ? {} : { timeZone }), ms('12:05:00')).metadata.annotations
  expect(Object.values(timeOf() ?? {})).toEqual(['2026-01-01T12:05:00Z'])
  expect(Object.values(timeOf('Etc/UTC') ?? {})).toEqual(['2026-01-01T12:05:00Z'])
  expect(Object.values(timeOf('Asia/Tokyo') ?? {})).toEqual(['2026-01-01T21:05:00+09:00'])
})
