// A namespace that is deleted while its executors live: it goes, stays gone, and what ran for it ends.

import type { ApiObject } from '@homeostat/client'
import { executor } from '@homeostat/executor'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { expect, it, onTestFinished } from 'vitest'
import { deploymentController } from '../src/deployment/index.ts'
import { type TestColony, testColony } from '../src/testing/index.ts'

const SLOW = { timeout: 15_000, interval: 20 }
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

async function started(): Promise<TestColony> {
  const colony = await testColony()
  onTestFinished(() => colony.close())
  return colony
}

async function deleteNamespace({ client }: TestColony, name: string): Promise<void> {
  const namespaces = client.resourceOf<ApiObject>('v1', 'Namespace')
  await namespaces.delete({ name })
  await expect.poll(() => namespaces.find({ name }), SLOW).toBeUndefined()
}

it('an executor ends with what it runs, and does not bring it back', async () => {
  const colony = await started()
  const { client } = colony
  const begun = Promise.withResolvers<AbortSignal>()
  const running = executor({
    type: 'ml',
    colony: 'doomed',
    client,
    log: quiet,
    functions: {
      work: async ({ signal }) => {
        begun.resolve(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    },
  })
  onTestFinished(() => running.close())
  await running.ready
  await client.resourceOf<ApiObject>('colonies.io/v1', 'Process').create({
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { name: 'a', namespace: 'doomed' },
    spec: { funcName: 'work', conditions: { executorType: 'ml' } },
  } as ApiObject)
  const signal = await begun.promise
  await deleteNamespace(colony, 'doomed')
  await expect(running.done).rejects.toMatchObject({ reason: 'ColonyDeleted' })
  expect(signal.aborted).toBe(true)
  await running.close()
  expect(await client.resourceOf<ApiObject>('v1', 'Namespace').find({ name: 'doomed' })).toBeUndefined()
})

it('a controller ends the executors of its deployments', async () => {
  const colony = await started()
  const { client } = colony
  const runtime = new SimulatedRuntime({ startDelayMs: 1 })
  await client.resourceOf('colonies.io/v1', 'ResourceDefinition').create({
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'flats.compute.test' },
    spec: {
      group: 'compute.test',
      version: 'v1',
      names: { kind: 'Flat', plural: 'flats' },
      handler: { executorType: 'executor-deployment-controller', functionName: 'reconcile_executor_deployment' },
    },
  } as ApiObject)
  await expect.poll(() => client.discover('compute.test/v1', 'Flat'), SLOW).toBeDefined()
  const lines: string[] = []
  const controller = deploymentController({
    client,
    colony: 'doomed',
    directory: '/nowhere',
    executorCommand: ['homeostat', 'executor', 'run'],
    openLocal: async () => runtime,
    openDocker: () => Promise.reject(new Error('no Docker here')),
    settleMs: 5,
    executorsOnline: async () => ({ has: () => true }),
    log: quiet,
    say: (line) => lines.push(line),
  })
  onTestFinished(() => controller.close())
  await controller.ready
  const flats = client.resourceOf<ApiObject>('compute.test/v1', 'Flat')
  const metadata = { name: 'one', namespace: 'doomed' }
  const spec = { runtime: 'local', replicas: 2, executorType: 'ml' }
  await flats.create({ apiVersion: 'compute.test/v1', kind: 'Flat', metadata, spec } as ApiObject)
  await expect.poll(async () => (await runtime.list({})).length, SLOW).toBe(2)
  await deleteNamespace(colony, 'doomed')
  await expect(controller.done).rejects.toThrow('the namespace doomed was deleted')
  expect(await runtime.list({})).toEqual([])
  expect(lines).toContain('The namespace doomed was deleted: removing 2 local processes')
})
