// CronJobs on a whole control plane, simulated, on a clock that runs and that the test moves on.

import type { TestEnv } from '@homeostat/testing'
import { describe, expect, it } from 'vitest'
import type { CronJob, Job } from '../src/kinds.ts'
import { stage, told } from './stage.ts'

const ref = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tidy', namespace: 'default' }
const START = '2026-01-01T12:00:30Z'
const minutes = (time: string) => Date.parse(`2026-01-01T${time}:00Z`) / 60_000

function create(env: TestEnv, spec: CronJob['spec'] = {}, does = 'run'): Promise<CronJob> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'work', ...told(does) }] } }
  const jobTemplate = { spec: { template } }
  return env.client.resourceOf<CronJob>('batch/v1', 'CronJob').create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tidy', namespace: 'default' },
    spec: { schedule: '*/5 * * * *', timeZone: 'Etc/UTC', jobTemplate, ...spec },
  } as CronJob)
}

async function jobsOf(env: TestEnv): Promise<string[]> {
  const { items } = await env.client.resourceOf<Job>('batch/v1', 'Job').list({ namespace: 'default' })
  return items.map(({ metadata }) => metadata.name ?? '').sort()
}

/** Moves the clock to the time of the day, when what runs has set its timers. */
async function until(env: TestEnv, time: string): Promise<void> {
  await env.settled()
  await env.advance({ milliseconds: Date.parse(`2026-01-01T${time}Z`) - env.clock.now() })
}

const from = { now: START }

describe('a cron job', () => {
  it('makes a job with each tick, follows it, and keeps the last three', async () => {
    const { env, events } = await stage(from)
    await create(env, {}, 'exit:0')
    await until(env, '12:03:00')
    expect(await jobsOf(env)).toEqual([])
    for (const time of ['12:05', '12:10', '12:15', '12:20']) {
      await until(env, `${time}:00`)
      const name = `tidy-${minutes(time)}`
      await env.until<CronJob>(ref, ({ status = {} }) => {
        const isSeen = status.lastScheduleTime === `2026-01-01T${time}:00Z`
        return isSeen && status.active === undefined && status.lastSuccessfulTime !== undefined
      })
      expect(events).toContain(`SuccessfulCreate: Created job ${name}`)
      expect(events).toContain(`SawCompletedJob: Saw completed job: ${name}, condition: Complete`)
    }
    await expect.poll(() => jobsOf(env)).toEqual(['12:10', '12:15', '12:20'].map((time) => `tidy-${minutes(time)}`))
    expect(events).toContain(`SuccessfulDelete: Deleted job tidy-${minutes('12:05')}`)
  })

  it('names what runs, and does not start another beside it when that is forbidden', async () => {
    const { env, events } = await stage(from)
    await create(env, { concurrencyPolicy: 'Forbid' })
    await until(env, '12:05:00')
    const first = `tidy-${minutes('12:05')}`
    const { status } = await env.until<CronJob>(ref, ({ status }) => status?.active?.length === 1)
    expect(status?.active).toMatchObject([{ kind: 'Job', apiVersion: 'batch/v1', namespace: 'default', name: first }])
    await until(env, '12:11:00')
    expect(await jobsOf(env)).toEqual([first])
    expect(events.some((event) => event.startsWith('JobAlreadyActive: '))).toBe(true)
    // When it has ended, the tick that waited is made up for.
    await env.client.resourceOf<Job>('batch/v1', 'Job').delete({ name: first, namespace: 'default' }, BACKGROUND)
    const second = `tidy-${minutes('12:10')}`
    await env.until<CronJob>(ref, ({ status }) => status?.active?.[0]?.name === second)
    expect(await jobsOf(env)).toEqual([second])
  })

  it('replaces what runs', async () => {
    const { env, pods } = await stage(from)
    await create(env, { concurrencyPolicy: 'Replace' })
    await until(env, '12:05:00')
    await env.until<CronJob>(ref, ({ status }) => status?.active?.length === 1)
    await until(env, '12:10:00')
    const second = `tidy-${minutes('12:10')}`
    await env.until<CronJob>(ref, ({ status }) => status?.active?.[0]?.name === second)
    expect(await jobsOf(env)).toEqual([second])
    await expect.poll(async () => (await pods()).map(({ metadata }) => metadata.labels?.['job-name'])).toEqual([second])
  })

  it('that was suspended makes up for the last tick when it goes on', async () => {
    const { env } = await stage(from)
    await create(env, { suspend: true })
    await until(env, '12:31:00')
    expect(await jobsOf(env)).toEqual([])
    await env.client.resourceOf<CronJob>('batch/v1', 'CronJob').patch(ref, { spec: { suspend: false } })
    await env.until<CronJob>(ref, ({ status }) => status?.lastScheduleTime === '2026-01-01T12:30:00Z')
    expect(await jobsOf(env)).toEqual([`tidy-${minutes('12:30')}`])
  })

  it('finds the job that it made before a crash, by its name', async () => {
    const { env } = await stage(from)
    const { metadata, spec } = await create(env, { suspend: true })
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tidy', uid: metadata.uid ?? '', controller: true }
    const name = `tidy-${minutes('12:05')}`
    const job = { name, namespace: 'default', ownerReferences: [owner] }
    await env.client
      .resourceOf<Job>('batch/v1', 'Job')
      .create({ apiVersion: 'batch/v1', kind: 'Job', metadata: job, spec: spec?.jobTemplate?.spec } as Job)
    await env.client.resourceOf<CronJob>('batch/v1', 'CronJob').patch(ref, { spec: { suspend: false } })
    await until(env, '12:05:00')
    const { status } = await env.until<CronJob>(ref, ({ status }) => status?.active?.length === 1)
    expect(status).toMatchObject({ active: [{ name }], lastScheduleTime: '2026-01-01T12:05:00Z' })
    expect(await jobsOf(env)).toEqual([name])
  })

  it('leaves a job of somebody else with that name alone, and goes on', async () => {
    const { env, events } = await stage(from)
    const { spec } = await create(env)
    const name = `tidy-${minutes('12:05')}`
    await env.client.resourceOf<Job>('batch/v1', 'Job').create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace: 'default' },
      spec: spec?.jobTemplate?.spec,
    } as Job)
    await until(env, '12:05:00')
    await env.until<CronJob>(ref, ({ status }) => status?.lastScheduleTime === '2026-01-01T12:05:00Z')
    expect(events).toContain(`FailedCreate: Job ${name} exists and is not of this CronJob`)
    await until(env, '12:10:00')
    await env.until<CronJob>(ref, ({ status }) => status?.active?.[0]?.name === `tidy-${minutes('12:10')}`)
  })

  it('with nothing to do writes nothing', async () => {
    const { env } = await stage(from)
    await create(env)
    await until(env, '12:05:00')
    await env.until<Job>({ ...ref, kind: 'Job', name: `tidy-${minutes('12:05')}` }, ({ status }) => status?.ready === 1)
    await env.settled()
    env.takeWrites()
    await until(env, '12:06:30')
    await until(env, '12:08:30')
    expect(env.takeWrites().filter((write) => !write.includes('leases'))).toEqual([])
  })
})

const BACKGROUND = { propagationPolicy: 'Background' } as const
