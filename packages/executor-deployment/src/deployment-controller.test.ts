import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import type { ApiObject } from '@homeostat/client'
import { type Runtime, SimulatedRuntime } from '@homeostat/runtimes'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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
    executorsOnline: async () => ({ has: () => true }),
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
    const { ready, done } = controller(new SimulatedRuntime(), { name: 'Not A Name' })
    await expect(ready).rejects.toThrow('"Not A Name" cannot be the name of an executor')
    await expect(done).rejects.toThrow('"Not A Name"')
  })

  it('ends at start, before it takes any work, when another keeps its executors in the same folder', async () => {
    const directory = temporaryFolder()
    const own = { directory, openLocal: undefined }
    const first = controller(new SimulatedRuntime(), { ...own, name: 'first' })
    await first.ready
    const second = controller(new SimulatedRuntime(), { ...own, name: 'second' })
    await expect(second.ready).rejects.toThrow(`another controller keeps its executors in ${directory}: end it, or`)
    await expect(second.done).rejects.toThrow('another controller')
    expect(await colony.client.resource('colonies.io/v1', 'Executor').find({ name: 'second', namespace: 'dev' })).toBe(
      undefined,
    )
    await first.close()
    const third = controller(new SimulatedRuntime(), { ...own, name: 'third' })
    await third.ready
  })

  it('ends when another one is started under its name, which goes on', async () => {
    const first = controller(new SimulatedRuntime(), { name: 'same' })
    await first.ready
    const second = controller(new SimulatedRuntime(), { name: 'same' })
    await second.ready
    await expect(first.done).rejects.toThrow('another executor was started as same')
    const { items } = await colony.client.resource('colonies.io/v1', 'Executor').list({ namespace: 'dev' })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(['same']))
  })

  it('ends with its signal', async () => {
    const ending = new AbortController()
    const { ready, done } = controller(new SimulatedRuntime(), { signal: ending.signal })
    await ready
    ending.abort()
    await done
  })
})
