// Executors in a cluster that does not run any: what is told while they do not come, and while they do not go.

import type { ApiObject } from '@homeostat/client'
import type { Duration } from '@homeostat/meta'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeploymentStatus } from '../deployment-status.ts'
import { reconcileDeployment } from '../reconcile.ts'
import { Targets } from './targets.ts'

let env: TestEnv
beforeAll(async () => {
  env = await testEnv()
})
afterAll(() => env.close())

async function run(uid: string, deletion: object = {}) {
  const targets = new Targets({
    client: env.client,
    directory: '/nowhere',
    executorCommand: [],
    localEnv: {},
    server: undefined,
    kubeconfig: undefined,
    settleMs: 0,
    waitMs: 20,
  })
  const sent: { status?: DeploymentStatus; requeueAfter?: Duration } = {}
  const context = {
    kwargs: {
      metadata: { name: 'ml', namespace: 'default', uid, generation: 1, ...deletion },
      spec: { runtime: 'kubernetes', replicas: 2, executorType: 'ml', image: 'ml:1' },
    },
    signal: new AbortController().signal,
    log() {},
    status(fields: object) {
      sent.status = fields
    },
    requeueAfter(after: Duration) {
      sent.requeueAfter = after
    },
  }
  const ended = reconcileDeployment(context, { targets, allowCommands: false, say() {}, now: Date.now })
  const error = await ended.then(
    () => undefined,
    (thrown: Error) => thrown.message,
  )
  return { ...sent, error }
}

async function pod(uid: string, name: string, more: object): Promise<void> {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { 'colonies.io/deployment-uid': uid }, ...more },
    spec: { containers: [{ name: 'executor', image: 'ml:1' }] },
  }
  await env.client.resourceOf<ApiObject>('v1', 'Pod').create(manifest)
}

it('pods that do not come yet are waited for, and looked for again', async () => {
  const { status, requeueAfter, error } = await run('aaaaaaaa-1')
  expect([error, requeueAfter]).toEqual([undefined, '5s'])
  expect(status).toMatchObject({ phase: 'Pending', ready: 0, message: '0 of 2 running', deployedExecutors: [] })
})

it('pods on their way out do not count, and the end waits for them', async () => {
  const uid = 'bbbbbbbb-1'
  await pod(uid, 'leaving', { finalizers: ['test.dev/wait'] })
  await pod(uid, 'here', {})
  await env.client.resource('v1', 'Pod').delete({ name: 'leaving', namespace: 'default' }, { gracePeriodSeconds: 0 })
  expect((await run(uid)).status?.deployedExecutors).toEqual(['here'])
  await env.client.resource('v1', 'Pod').delete({ name: 'here', namespace: 'default' }, { gracePeriodSeconds: 0 })
  const stuck = await run(uid, { deletionTimestamp: '2026-01-01T00:00:00Z' })
  expect(stuck.error).toBe('not all is gone from default yet: 1 pod')
  expect(stuck.status?.phase).toBe('Terminating')
  const release = { metadata: { finalizers: null } }
  await env.client.resource('v1', 'Pod').patch({ name: 'leaving', namespace: 'default' }, release)
  expect((await run(uid, { deletionTimestamp: '2026-01-01T00:00:00Z' })).error).toBeUndefined()
})
