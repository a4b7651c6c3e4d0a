// A namespace that is deleted while a controller lives: what it deployed there ends.

import { silentLog } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { testColony } from '@homeostat/testing/colony'
import { expect, it, onTestFinished } from 'vitest'
import { deploymentController } from './deployment-controller.ts'

it('a controller ends the executors of its deployments', async () => {
  const colony = await testColony()
  onTestFinished(() => colony.close())
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
  await expect.poll(() => client.discover('compute.test/v1', 'Flat')).toBeDefined()
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
    log: silentLog,
    say: (line) => lines.push(line),
  })
  onTestFinished(() => controller.close())
  await controller.ready
  const flats = client.resourceOf<ApiObject>('compute.test/v1', 'Flat')
  const metadata = { name: 'one', namespace: 'doomed' }
  const spec = { runtime: 'local', replicas: 2, executorType: 'ml' }
  await flats.create({ apiVersion: 'compute.test/v1', kind: 'Flat', metadata, spec } as ApiObject)
  await expect.poll(async () => (await runtime.list({})).length).toBe(2)
  const namespaces = client.resourceOf<ApiObject>('v1', 'Namespace')
  await namespaces.delete({ name: 'doomed' })
  await expect.poll(() => namespaces.find({ name: 'doomed' })).toBeUndefined()
  await expect(controller.done).rejects.toThrow('the namespace doomed was deleted')
  expect(await runtime.list({})).toEqual([])
  expect(lines).toContain('The namespace doomed was deleted: removing 2 local processes')
})
