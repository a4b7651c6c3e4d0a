// Several controllers of one colony, each at a place of its own: a resource goes to the one that can do it, and to no other.

import { eventually } from '@homeostat/base/testing/eventually'
import type { ApiObject } from '@homeostat/client'
import type { Executor } from '@homeostat/executor/protocol'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type DeploymentControllerOptions, deploymentController } from './deployment-controller.ts'
import type { DeploymentStatus } from './deployment-status.ts'

interface Deployment extends ApiObject {
  spec?: object
  status?: DeploymentStatus
}

const API = 'compute.places/v1'
const KIND = 'ExecutorDeployment'
let colony: TestColony
let namespace = ''
let count = 0
beforeAll(async () => {
  colony = await testColony()
  await colony.client.resourceOf('colonies.io/v1', 'ResourceDefinition').create({
    apiVersion: 'colonies.io/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'executordeployments.compute.places' },
    spec: {
      group: 'compute.places',
      version: 'v1',
      names: { kind: KIND, plural: 'executordeployments' },
      handler: {
        executorType: 'executor-deployment-controller',
        functionName: 'reconcile_executor_deployment',
        locationFrom: ['.status.deployedTo.location', '.spec.location'],
        softwareFrom: ['.status.deployedTo.runtime', '.spec.runtime'],
      },
    },
  } as ApiObject)
  await eventually(() => colony.client.discover(API, KIND))
})
afterAll(() => colony.close())
beforeEach(() => {
  namespace = `colony-${count++}`
})

function controller(options: Partial<DeploymentControllerOptions> = {}) {
  const local = new SimulatedRuntime({ startDelayMs: 1 })
  const docker = new SimulatedRuntime({ startDelayMs: 1 })
  const lines: string[] = []
  const started = deploymentController({
    client: colony.client,
    colony: namespace,
    directory: '/nowhere',
    executorCommand: ['homeostat', 'executor', 'run'],
    openLocal: async () => local,
    openDocker: async () => docker,
    executorsOnline: async () => ({ has: () => true }),
    settleMs: 1,
    say: (line) => void lines.push(line),
    ...options,
  })
  onTestFinished(() => started.close())
  const units = async () => [(await local.list({})).length, (await docker.list({})).length]
  return { ...started, units, lines, runtimes: { local, docker } }
}

function deployments() {
  const resources = colony.client.resourceOf<Deployment>(API, KIND)
  const where = { name: 'one', namespace }
  const status = async () => (await resources.find(where))?.status
  return {
    create: (spec: object) => resources.create({ apiVersion: API, kind: KIND, metadata: where, spec }),
    change: (spec: object) => resources.patch(where, { spec }),
    remove: () => resources.delete(where),
    find: () => resources.find(where),
    status,
    runsAt: (deployedTo: object, ready: number) =>
      expect.poll(status).toMatchObject({ phase: 'Running', ready, deployedTo }),
  }
}

const SPEC = { runtime: 'local', replicas: 2, executorType: 'ml', image: 'x:1' }

describe('controllers of several places', () => {
  it('each take what is for their location, also when it moves, and when it is deleted', async () => {
    const edge = controller({ location: 'edge' })
    const lab = controller({ location: 'Lab' })
    await Promise.all([edge.ready, lab.ready])
    expect(edge.names).toEqual([
      'executor-deployment-controller-edge',
      'executor-deployment-controller-edge-docker-reconciler',
    ])
    const { create, change, remove, find, runsAt } = deployments()
    await create({ ...SPEC, location: 'EDGE' })
    await runsAt({ runtime: 'local', location: 'edge' }, 2)
    expect([...(await edge.units()), ...(await lab.units())]).toEqual([2, 0, 0, 0])
    await change({ location: 'lab', replicas: 3 })
    await runsAt({ runtime: 'local', location: 'Lab' }, 3)
    expect([...(await edge.units()), ...(await lab.units())]).toEqual([0, 0, 3, 0])
    expect(edge.lines.at(-1)).toBe('Reconciliation goes on elsewhere: for location lab')
    await remove()
    await expect.poll(find).toBeUndefined()
    expect(await lab.units()).toEqual([0, 0])
  })

  it('of one location take what they can run', async () => {
    const processes = controller({ runtimes: ['local'] })
    const containers = controller({ runtimes: ['docker'] })
    await Promise.all([processes.ready, containers.ready])
    expect(processes.names).toEqual(['executor-deployment-controller-local'])
    const { create, change, runsAt, status } = deployments()
    await create({ ...SPEC, runtime: 'docker' })
    await runsAt({ runtime: 'docker' }, 2)
    await change({ runtime: 'local' })
    await runsAt({ runtime: 'local' }, 2)
    expect([...(await processes.units()), ...(await containers.units())]).toEqual([2, 0, 0, 0])
    expect((await status())?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' })
  })

  it('wait for the one that has the executors, and for the one that they are for', async () => {
    const lab = controller({ location: 'lab' })
    await lab.ready
    const { create, change, runsAt, remove, find } = deployments()
    await create({ ...SPEC, location: 'edge' })
    await expect.poll(waiting).toMatchObject([{ location: 'edge', software: ['local'] }])
    const edge = controller({ location: 'edge' })
    await runsAt({ location: 'edge' }, 2)
    await edge.close()
    await change({ location: 'lab' })
    await expect.poll(waiting).toMatchObject([{ location: 'edge' }])
    await remove()
    await expect.poll(waiting).toMatchObject([{ location: 'edge' }])
    expect(await lab.units()).toEqual([0, 0])
    expect(await find()).toBeDefined()
    const { local, docker } = edge.runtimes
    controller({ location: 'edge', openLocal: async () => local, openDocker: async () => docker })
    await expect.poll(find).toBeUndefined()
    expect(await local.list({})).toEqual([])
  })

  it('that would do the same work are refused at the start', async () => {
    const first = controller({ location: 'edge', runtimes: ['local', 'docker'] })
    await first.ready
    const second = controller({ location: 'Edge', runtimes: ['docker'], name: 'second' })
    await expect(second.ready).rejects.toThrow(
      'executor-deployment-controller-edge-local-docker runs docker at location Edge already',
    )
    await controller({ location: 'edge', runtimes: ['kubernetes'] }).ready
    await controller({ location: 'roof', runtimes: ['docker'] }).ready
    await controller({ location: 'edge', runtimes: ['local', 'docker'] }).ready // its successor
  })

  async function waiting(): Promise<object[]> {
    const { items } = await colony.client.resourceOf('colonies.io/v1', 'Process').list({ namespace })
    return (items as unknown as { status?: { phase?: string }; spec: { conditions: object } }[])
      .filter(({ status }) => status?.phase === 'Waiting')
      .map(({ spec }) => spec.conditions)
  }
})

it('a controller says where it is and what it can run', async () => {
  const edge = controller({ location: 'edge', runtimes: ['docker'] })
  await edge.ready
  const { items } = await colony.client.resourceOf<Executor>('colonies.io/v1', 'Executor').list({ namespace })
  expect(items.map(({ spec }) => [spec.type, spec.location, spec.capabilities])).toEqual([
    ['executor-deployment-controller', 'edge', { software: ['docker'], executorDeployments: true }],
    ['docker-reconciler', 'edge', { software: ['docker'], executorDeployments: true }],
  ])
})
