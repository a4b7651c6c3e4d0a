// Check 18: creating an ExecutorDeployment puts a waiting process in the queue with the handler's function name and executor type
// and the whole resource in kwargs, assigned only to an executor of that type.

import { silentLog } from '@homeostat/base'
import { executor, type Process } from '@homeostat/executor'
import { expect, onTestFinished, test } from 'vitest'
import { deployments } from './executor-deployments.ts'

test('check 18', async () => {
  const { client, register, submit } = await deployments()
  await register()
  await submit(3)
  const processes = async () =>
    (await client.resourceOf<Process>('colonies.io/v1', 'Process').list({ namespace: 'dev' })).items
  await expect.poll(async () => (await processes()).length).toBe(1)
  expect((await processes())[0]).toMatchObject({
    spec: {
      funcName: 'reconcile_executor_deployment',
      conditions: { executorType: 'executor-deployment-controller' },
      kwargs: {
        kind: 'ExecutorDeployment',
        metadata: { name: 'ml-training-executors', namespace: 'dev', generation: 1 },
        spec: { runtime: 'local', replicas: 3, executorType: 'ml-executor' },
      },
    },
    status: { phase: 'Waiting' },
  })
  const took: string[] = []
  const start = async (type: string) => {
    const reconcile_executor_deployment = () => void took.push(type)
    const functions = { reconcile_executor_deployment, mark: () => void took.push(`${type} is there`) }
    const running = executor({ client, colony: 'dev', type, functions, log: silentLog, drain: '0s' })
    onTestFinished(() => running.close())
    await running.ready
  }
  await start('another')
  // A process for the other type passes the one that waits.
  await client.resourceOf('colonies.io/v1', 'Process').create({
    metadata: { name: 'mark', namespace: 'dev' },
    spec: { funcName: 'mark', conditions: { executorType: 'another' } },
  } as object)
  await expect.poll(() => took).toEqual(['another is there'])
  await start('executor-deployment-controller')
  await expect.poll(() => took).toEqual(['another is there', 'executor-deployment-controller'])
})
