// Jobs on a whole control plane, simulated.

import type { TestEnv } from '@homeostat/testing'
import { describe, expect, it } from 'vitest'
import type { Job, Pod } from '../src/kinds.ts'
import { stage, told } from './stage.ts'

const ref = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', namespace: 'default' }
const isTrue = (type: string) => (job: Job) =>
  job.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false

function create(env: TestEnv, spec: Job['spec'] = {}, container: object = told('exit:0')): Promise<Job> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'work', ...container }] } }
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'work', namespace: 'default' } }
  return env.client.resourceOf<Job>('batch/v1', 'Job').create({ ...job, spec: { template, ...spec } } as Job)
}

describe('a job', () => {
  it('runs as many pods as it wants to succeed, and is complete', async () => {
    const { env, pods, events } = await stage()
    await create(env, { completions: 3, parallelism: 2 })
    const { status } = await env.until<Job>(ref, isTrue('Complete'))
    expect(status).toMatchObject({ succeeded: 3, startTime: expect.any(String), completionTime: expect.any(String) })
    expect(status?.failed).toBeUndefined()
    const all = await pods()
    expect(all.map((pod) => pod.status?.phase)).toEqual(['Succeeded', 'Succeeded', 'Succeeded'])
    expect(all.every(({ metadata }) => metadata.finalizers === undefined)).toBe(true)
    expect(events.filter((event) => event.startsWith('Completed'))).toEqual(['Completed: Job completed'])
  })

  it('that fails too often is over, with what it tried', async () => {
    const { env } = await stage()
    await create(env, { backoffLimit: 0 }, told('exit:3'))
    const { status } = await env.until<Job>(ref, isTrue('Failed'))
    expect(status?.failed).toBe(1)
    expect(status?.conditions?.find(({ type }) => type === 'Failed')).toMatchObject({ reason: 'BackoffLimitExceeded' })
  })

  it('tells its pods their index', async () => {
    const { env, pods } = await stage()
    await create(env, { completions: 3, parallelism: 3, completionMode: 'Indexed' })
    const { status } = await env.until<Job>(ref, isTrue('Complete'))
    expect(status).toMatchObject({ completedIndexes: '0-2', succeeded: 3 })
    const index = 'batch.kubernetes.io/job-completion-index'
    expect((await pods()).map(({ metadata }) => metadata.labels?.[index]).sort()).toEqual(['0', '1', '2'])
  })

  it('that is suspended takes its pods away, and goes on later', async () => {
    const { env, pods } = await stage()
    await create(env, {}, told('run'))
    await env.until<Job>(ref, ({ status }) => status?.active === 1)
    const access = env.client.resourceOf<Job>('batch/v1', 'Job')
    await access.patch(ref, { spec: { suspend: true } })
    await env.until<Job>(ref, (job) => isTrue('Suspended')(job) && !job.status?.active && !job.status?.terminating)
    expect(await pods()).toEqual([])
    await access.patch(ref, { spec: { suspend: false } })
    const { status } = await env.until<Job>(ref, ({ status }) => status?.active === 1)
    expect(status?.failed).toBeUndefined()
  })

  it.each(['Background', 'Foreground', 'Orphan'] as const)(
    'that is deleted (%s) leaves no pod behind that waits',
    async (propagationPolicy) => {
      const { env, pods, pod } = await stage()
      await create(env, {}, told('run'))
      await env.until<Job>(ref, ({ status }) => status?.active === 1)
      const [one] = await pods()
      await env.client.resourceOf<Job>('batch/v1', 'Job').delete(ref, { propagationPolicy })
      await env.untilGone(ref)
      const name = one?.metadata.name ?? ''
      if (propagationPolicy !== 'Orphan') return env.untilGone(pod(name))
      await env.until<Pod>(pod(name), ({ metadata }) => metadata.finalizers === undefined)
    },
  )
})

it('a pod that is not to be restarted comes to its end by itself', async () => {
  const { env, pod } = await stage()
  for (const restartPolicy of ['Never', 'OnFailure']) {
    const name = restartPolicy.toLowerCase()
    const spec = {
      restartPolicy,
      initContainers: [{ name: 'first', image: 'x' }],
      containers: [{ name: 'main', image: 'x' }],
    }
    await env.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec })
    await env.until<Pod>(pod(name), ({ status }) => status?.phase === 'Succeeded')
  }
})
