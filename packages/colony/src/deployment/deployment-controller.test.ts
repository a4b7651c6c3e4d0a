import type { ApiObject } from '@homeostat/client'
import { type Runtime, SimulatedRuntime } from '@homeostat/runtimes'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type TestColony, testColony } from '../testing/index.ts'
import {
  type DeploymentController,
  type DeploymentControllerOptions,
  deploymentController,
} from './deployment-controller.ts'

interface Deployment extends ApiObject {
  spec?: object
  status?: { phase?: string; ready?: number }
}

let colony: TestColony
beforeAll(async () => {
  colony = await testColony()
})
afterAll(() => colony.close())

const HANDLERS = {
  flats: { executorType: 'executor-deployment-controller', functionName: 'reconcile_executor_deployment' },
  shorts: { executorType: 'docker-reconciler', functionName: 'reconcile' },
}

async function define(plural: keyof typeof HANDLERS): Promise<string> {
  const kind = `${plural[0]?.toUpperCase()}${plural.slice(1, -1)}`
  const group = 'compute.test'
  await colony.client.resourceOf('colonies.io/v1', 'ResourceDefinition').create({
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, version: 'v1', names: { kind, plural }, handler: HANDLERS[plural] },
  } as ApiObject)
  await expect.poll(() => colony.client.discover(`${group}/v1`, kind)).toBeDefined()
  return kind
}

function controller(runtime: Runtime, options: Partial<DeploymentControllerOptions> = {}): DeploymentController {
  const started = deploymentController({
    client: colony.client,
    colony: 'dev',
    directory: '/nowhere',
    executorCommand: ['homeostat', 'executor', 'run'],
    openLocal: async () => runtime,
    openDocker: async () => runtime,
    settleMs: 5,
    ...options,
  })
  onTestFinished(() => started.close())
  return started
}

describe('the controller of ExecutorDeployments', () => {
  it.each([
    ['flats', { runtime: 'local', replicas: 2, executorType: 'ml' }],
    ['shorts', { image: 'x:1', replicas: 2, executorType: 'ml', env: { A: '1' } }],
  ] as const)('serves definitions with the handler of %s', async (plural, spec) => {
    const kind = await define(plural)
    const runtime = new SimulatedRuntime({ startDelayMs: 1 })
    const { names, ready, close } = controller(runtime, { name: `c-${plural}` })
    await ready
    expect(names).toEqual([`c-${plural}`, `c-${plural}-docker-reconciler`])
    const resources = colony.client.resourceOf<Deployment>('compute.test/v1', kind)
    const where = { name: 'one', namespace: 'dev' }
    await resources.create({ apiVersion: 'compute.test/v1', kind, metadata: where, spec })
    await expect.poll(async () => (await resources.find(where))?.status).toMatchObject({ phase: 'Running', ready: 2 })
    expect(await runtime.list({})).toHaveLength(2)
    await resources.delete(where)
    await expect.poll(() => resources.find(where)).toBe(undefined)
    expect(await runtime.list({})).toEqual([])
    await Promise.all([close(), close()])
    const left = await colony.client.resource('colonies.io/v1', 'Executor').list({ namespace: 'dev' })
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual([])
  })

  it('ends as a whole, with the reason, when one of its executors cannot start', async () => {
    const impossible = () => controller(new SimulatedRuntime(), { name: 'Not A Name' })
    expect(impossible).toThrow('"Not A Name" cannot be the name of an executor')
  })

  it('ends with its signal', async () => {
    const ending = new AbortController()
    const { ready, done } = controller(new SimulatedRuntime(), { signal: ending.signal })
    await ready
    ending.abort()
    await done
  })
})
