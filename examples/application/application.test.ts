import { readFileSync, writeFileSync } from 'node:fs'
import { systemClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { testEnv } from '@homeostat/testing'
import { workloads } from '@homeostat/workloads'
import { workloadsAccess } from '@homeostat/workloads/access'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { applicationAccess } from './access.ts'
import { application } from './application.ts'
import { applicationDefinition } from './definition.ts'
import { observe } from './run-forever.ts'
import { count } from './run-once.ts'

interface Application {
  apiVersion: string
  kind: string
  metadata: { name?: string; generation?: number }
  status?: {
    phase?: string
    replicas?: number
    readyReplicas?: number
    observedGeneration?: number
    conditions?: { type: string; status: string; reason: string; message: string }[]
  }
}

async function start() {
  const env = await testEnv({
    definitions: [applicationDefinition()],
    access: [...workloadsAccess, ...applicationAccess],
  })
  const runtime = new SimulatedRuntime({ clock: systemClock })
  onTestFinished(async () => {
    await env.close()
    await runtime.close()
  })
  await env.run(workloads({ runtimes: [runtime], defaultRuntime: 'simulated' }), { name: 'workloads' }).ready
  await env.run(application, { name: 'application', install: false }).ready
  return {
    env,
    apply: (spec: object) =>
      env.apply({
        apiVersion: 'cloudnative.elide.dev/v1',
        kind: 'Application',
        metadata: { name: 'app', namespace: 'default' },
        spec,
      }),
    until: (wanted: (app: Application) => boolean) =>
      env.until<Application>(
        { apiVersion: 'cloudnative.elide.dev/v1', kind: 'Application', namespace: 'default', name: 'app' },
        wanted,
      ),
    conditions: ({ status }: Application) =>
      Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, `${one.status} ${one.reason}`])),
  }
}

interface Told extends ApiObject {
  readonly reason: string
  readonly note: string
  readonly regarding: { readonly kind: string }
}

function condition({ status }: Application, wanted: string) {
  return status?.conditions?.find(({ type }) => type === wanted)
}

describe('an Application', () => {
  it('runs its replicas, follows its spec, says that nothing really runs, and then writes nothing more', async () => {
    const { env, apply, until, conditions } = await start()
    await apply({ image: 'nginx:1', replicas: 2, config: { COLOUR: 'blue' } })
    const running = await until(({ status }) => status?.phase === 'Running')
    expect(running.status).toMatchObject({ replicas: 2, readyReplicas: 2, observedGeneration: 1 })
    expect(conditions(running)).toMatchObject({
      Ready: 'True ReconciliationSucceeded',
      Progressing: 'False ReplicaSetUpdated',
    })
    expect(running.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain('simulated')
    await apply({ image: 'nginx:2', replicas: 3 })
    const changed = await until(({ status }) => status?.observedGeneration === 2 && status.phase === 'Running')
    expect(changed.status).toMatchObject({ replicas: 3, readyReplicas: 3 })
    // Flushes Events that were held back.
    await env.advance('1m')
    env.takeWrites()
    await env.advance('1m')
    // The node's lease is renewed.
    expect(env.takeWrites().filter((write) => !write.endsWith('/leases/homeostat'))).toEqual([])
  })

  it('that runs once succeeds when all of its Pods have, and fails with the first that fails', async () => {
    const { apply, until, conditions } = await start()
    await apply({ image: 'job:1', runOnce: true, replicas: 2, config: { HOMEOSTAT_SIMULATE: 'exit:0' } })
    const done = await until(({ status }) => status?.phase === 'Succeeded')
    expect(conditions(done)).toMatchObject({ Ready: 'True ReconciliationSucceeded', Progressing: 'False Finished' })
    await apply({ image: 'job:2', runOnce: true, replicas: 2, config: { HOMEOSTAT_SIMULATE: 'exit:3' } })
    const failed = await until(({ status }) => status?.phase === 'Failed')
    expect(conditions(failed)).toMatchObject({ Ready: 'False Failed' })
  })

  it('that runs once ends by itself where Pods are simulated', async () => {
    const { apply, until } = await start()
    await apply({ image: 'job:1', runOnce: true })
    await until(({ status }) => status?.phase === 'Succeeded')
  })

  it('says in its conditions and Events that its Pods crash, and what they said', async () => {
    const { env, apply, until } = await start()
    await apply({ image: 'nginx:1', config: { HOMEOSTAT_SIMULATE: 'exit:3' } })
    const crashed = await until((app) => condition(app, 'Ready')?.reason === 'CrashLoopBackOff')
    expect(crashed.status?.phase).toBe('Failed')
    const message = /^Pod app-\S+: CrashLoopBackOff: back-off 10s restarting failed container=app \(exit code 3\)/
    expect(condition(crashed, 'Ready')).toMatchObject({ status: 'False', message: expect.stringMatching(message) })
    expect(condition(crashed, 'Progressing')).toMatchObject({ status: 'False', reason: 'CrashLoopBackOff' })
    await env.advance('1s')
    const events = env.client.resourceOf<Told>('events.k8s.io/v1', 'Event')
    const told = async () => (await events.list({ namespace: 'default' })).items
    await expect
      .poll(async () => (await told()).filter(({ regarding }) => regarding.kind === 'Application'))
      .toContainEqual(expect.objectContaining({ reason: 'CrashLoopBackOff', note: expect.stringMatching(message) }))
  })

  it('takes everything along when it is deleted', async () => {
    const { env, apply, until } = await start()
    await apply({ image: 'nginx:1' })
    await until(({ status }) => status?.phase === 'Running')
    const pods = env.client.resource('v1', 'Pod')
    expect((await pods.list({ namespace: 'default' })).items).toHaveLength(1)
    await env.client.resource('cloudnative.elide.dev/v1', 'Application').delete({ name: 'app', namespace: 'default' })
    await env.untilGone({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'app' })
    await expect.poll(async () => (await pods.list({ namespace: 'default' })).items.length).toBe(0)
  })
})

test.each([
  [['Pending', 'Running'], 'Pending'],
  [['Running', 'Succeeded'], 'Running'],
  [['Succeeded', 'Succeeded'], 'Succeeded'],
  [['Succeeded', 'Failed'], 'Failed'],
  [[undefined], 'Pending'],
])('Pods in the phases %j make it %s', (phases, phase) => {
  expect(count(phases).status.phase).toBe(phase)
})

const done = { observedGeneration: 2, replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2 }
const stuck = { type: 'Progressing', status: 'False', message: 'it takes too long' }

test.each<[string, object, string]>([
  ['is complete', done, 'Running'],
  ['was not seen yet', { ...done, observedGeneration: 1 }, 'Pending'],
  ['has old replicas', { ...done, replicas: 3 }, 'Pending'],
  ['has replicas that are not ready', { ...done, readyReplicas: 1 }, 'Pending'],
  ['does not get on', { ...done, readyReplicas: 1, conditions: [stuck] }, 'Failed'],
])('a Deployment that %s', (_, status, phase) => {
  expect(observe(2, { metadata: { generation: 2 }, status }).status.phase).toBe(phase)
})

test('application.crd.json is what application.ts says; UPDATE_GOLDEN=1 writes it anew', () => {
  const file = new URL('./application.crd.json', import.meta.url)
  const made = `${JSON.stringify(applicationDefinition(), null, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, made)
  expect(readFileSync(file, 'utf8')).toBe(made)
})
