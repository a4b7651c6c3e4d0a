// Executors as pods of a cluster, which is this project's own server with its workloads.

import { run } from '@homeostat/operator'
import { SimulatedRuntime } from '@homeostat/runtimes'
import { workloads } from '@homeostat/workloads'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Document } from './document.ts'
import { document, type Stage, stage, withReplicas } from './stage.fixture.ts'

async function cluster(): Promise<Stage & { pods(): Promise<string[]>; deployments(): Promise<unknown[]> }> {
  const staged = await stage()
  const { client } = staged
  const runtime = new SimulatedRuntime()
  const running = run(workloads({ runtimes: [runtime], defaultRuntime: 'simulated' }), {
    client,
    name: 'workloads',
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  onTestFinished(async () => {
    await running.close()
    await runtime.close()
  })
  await staged.register(document('executor-deployment-definition.json'))
  const pods = async () =>
    (await client.resource('v1', 'Pod').list({ namespace: 'ml-executors' })).items.map(
      ({ metadata }) => metadata.name ?? '',
    )
  const deployments = async () =>
    (await client.resource('apps/v1', 'Deployment').list({ namespace: 'ml-executors' })).items
  return { ...staged, pods, deployments }
}

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ml-executors' } }

function wanted(replicas: number): Document {
  const shipped = document('instances/kubernetes-executor-deployment.json')
  const { namespace: where, image, imagePullPolicy, env } = (shipped.spec?.config ?? {}) as Record<string, unknown>
  const config = { namespace: where, image, imagePullPolicy, env }
  const spec = { runtime: 'kubernetes', replicas, executorType: 'gpu-executor', config }
  return { ...shipped, metadata: { name: 'ml-training-executors', namespace: 'dev' }, spec }
}

describe('executors as pods', () => {
  it('come, scale and go with the resource', async () => {
    const { client, submit, controller, until, gone, pods, deployments, find } = await cluster()
    await client.resource('v1', 'Namespace').create(namespace)
    const { lines } = await controller()
    await submit(wanted(3))
    const { status, metadata } = await until('three are ready', (now) => now.status?.ready === 3)
    expect(status?.phase).toBe('Running')
    expect(status?.deployedExecutors?.toSorted()).toEqual((await pods()).sort())
    expect(lines).toEqual(
      expect.arrayContaining(['  Current replicas: 0, Desired: 3', 'Scaling up: deploying 3 new Kubernetes pods']),
    )
    expect(await deployments()).toMatchObject([
      {
        metadata: { name: `ml-training-executors-${metadata.uid?.slice(0, 8)}` },
        spec: {
          replicas: 3,
          template: { spec: { containers: [{ image: 'colonyos/ml-executor:latest', imagePullPolicy: 'Always' }] } },
        },
      },
    ])
    await submit(withReplicas(wanted(3), 1))
    await until('one is left', (now) => now.status?.ready === 1 && now.status.available === 1)
    await expect.poll(pods).toHaveLength(1)
    await client
      .resource('compute.colonies.io/v1', 'ExecutorDeployment')
      .delete({ name: 'ml-training-executors', namespace: 'dev' })
    await gone()
    expect([await pods(), await deployments(), await find()]).toEqual([[], [], undefined])
  })

  it('carry what the resource says of nodes, volumes and resources', async () => {
    const { client, submit, controller, deployments } = await cluster()
    await client.resource('v1', 'Namespace').create(namespace)
    const shipped = document('instances/kubernetes-executor-deployment.json')
    await controller()
    await submit({
      ...shipped,
      metadata: { name: 'ml-training-executors', namespace: 'dev' },
      spec: { ...shipped.spec, executorType: 'gpu-executor', replicas: 0 },
    })
    await expect.poll(deployments).toMatchObject([
      {
        spec: {
          template: {
            spec: {
              nodeSelector: { gpu: 'true' },
              tolerations: [{ key: 'gpu', value: 'true' }],
              volumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'models' } }],
              containers: [
                {
                  resources: { limits: { 'nvidia.com/gpu': '1' } },
                  volumeMounts: [{ name: 'models', mountPath: '/models' }],
                },
              ],
            },
          },
        },
      },
    ])
  })

  it('are reported as missing while the cluster cannot have them', async () => {
    const { submit, controller, failed } = await cluster()
    await controller()
    await submit(wanted(2))
    const { status } = await failed('Failed')
    expect(status?.message).toContain('there is no namespace ml-executors in the cluster: create it')
  })
})
