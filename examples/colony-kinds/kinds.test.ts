// The kinds in a colony, with their controllers and executors that do the work.

import { silentLog } from '@homeostat/base'
import { executor } from '@homeostat/executor'
import { describe, expect, it, onTestFinished } from 'vitest'
import { read, stage } from './stage.fixture.ts'

const AUTOMATION = 'automation.colonies.io/v1'

describe('a Workflow', () => {
  it('runs its steps in order, says how it went, and is removed with its graph', async () => {
    const { client, create, find } = await stage()
    const ran: string[] = []
    const step = (name: string) => () => void ran.push(name)
    const running = executor({
      client,
      colony: 'dev',
      type: 'data',
      log: silentLog,
      functions: { ingest: step('ingest'), load: step('load') },
    })
    onTestFinished(() => running.close())
    const functionSpec = (funcName: string) => ({ funcName, conditions: { executorType: 'data' } })
    const steps = [
      { name: 'b', dependsOn: ['a'], functionSpec: functionSpec('load') },
      { name: 'a', functionSpec: functionSpec('ingest') },
    ]
    const spec = { steps, onFailure: { notify: ['me'] } }
    await create({ apiVersion: AUTOMATION, kind: 'Workflow', metadata: { name: 'daily' }, spec } as never)
    await expect
      .poll(async () => (await find(AUTOMATION, 'Workflow', 'daily'))?.status)
      .toMatchObject({ phase: 'Succeeded', graph: 'daily-1', nodes: { total: 2, succeeded: 2 } })
    expect(ran).toEqual(['ingest', 'load'])
    expect((await find(AUTOMATION, 'Workflow', 'daily'))?.status).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'PartiallySupported',
          status: 'True',
          message: 'nothing acts on spec.onFailure.notify',
        }),
      ]),
    })
    await client.resourceOf(AUTOMATION, 'Workflow').delete({ name: 'daily', namespace: 'dev' })
    await expect.poll(() => find('colonies.io/v1', 'ProcessGraph', 'daily-1')).toBeUndefined()
  })

  it('of the document becomes a Schedule', async () => {
    const { create, find } = await stage()
    await create(read('../executor-deployment/instances/workflow-data-pipeline.json'))
    await expect
      .poll(() => find('colonies.io/v1', 'Schedule', 'daily-data-pipeline'))
      .toMatchObject({
        spec: { cron: '0 1 * * *', graph: { nodes: [{ name: 'ingest' }, { name: 'validate' }, { name: 'load' }] } },
      })
    await expect
      .poll(async () => (await find(AUTOMATION, 'Workflow', 'daily-data-pipeline'))?.status)
      .toMatchObject({ phase: 'Scheduled', nextRun: expect.any(String) })
  })

  it('with a mistake says which field, and is not retried', async () => {
    const { create, find } = await stage()
    const spec = { steps: [{ name: 'a', type: 'human' }] }
    await create({ apiVersion: AUTOMATION, kind: 'Workflow', metadata: { name: 'wrong' }, spec } as never)
    await expect
      .poll(async () => (await find(AUTOMATION, 'Workflow', 'wrong'))?.status)
      .toMatchObject({
        conditions: expect.arrayContaining([
          expect.objectContaining({
            type: 'Ready',
            status: 'False',
            message: expect.stringContaining('spec.steps[0].type'),
          }),
        ]),
      })
  })
})

describe('a model', () => {
  it('gets more replicas while predictions wait, and fewer when they are done', async () => {
    const { client, create, find } = await stage()
    const ml = 'ml.colonies.io/v1beta1'
    const servingConfig = { batchSize: 2, autoscaling: { minReplicas: 1, maxReplicas: 3 } }
    const spec = { modelUri: 's3://m', framework: 'onnx', servingConfig }
    await create({ apiVersion: ml, kind: 'MLModel', metadata: { name: 'mood' }, spec } as never)
    const deployment = async () => (await find('compute.colonies.io/v1', 'ExecutorDeployment', 'mood')) ?? {}
    await expect.poll(deployment).toMatchObject({ spec: { replicas: 1, executorType: 'mlmodel-mood' } })
    const work = { funcName: 'predict', conditions: { executorType: 'mlmodel-mood' } }
    for (let i = 0; i < 5; i++)
      await create({ apiVersion: 'colonies.io/v1', kind: 'Process', metadata: { name: `p${i}` }, spec: work } as never)
    await expect.poll(deployment).toMatchObject({ spec: { replicas: 3 } })
    const predictor = executor({
      client,
      colony: 'dev',
      type: 'mlmodel-mood',
      log: silentLog,
      functions: { predict: () => 'happy' },
    })
    onTestFinished(() => predictor.close())
    await expect.poll(deployment).toMatchObject({ spec: { replicas: 1 } })
    await client.resourceOf(ml, 'MLModel').delete({ name: 'mood', namespace: 'dev' })
    await expect.poll(() => find(ml, 'MLModel', 'mood')).toBeUndefined()
  })
})

describe('a WorkerPool and a WebService', () => {
  it('are ExecutorDeployments, and follow changes', async () => {
    const { client, create, find } = await stage()
    await create(read('instances/worker-pool.json'))
    await create(read('instances/web-service.json'))
    const deployment = (name: string) => find('compute.colonies.io/v1', 'ExecutorDeployment', name)
    await expect
      .poll(() => deployment('thumbnails'))
      .toMatchObject({ spec: { replicas: 2, executorType: 'thumbnails' } })
    await expect
      .poll(() => deployment('shop'))
      .toMatchObject({ spec: { image: 'shop:1', config: { env: { PORT: '8080' } } } })
    const pools = client.resourceOf('app.colonies.io/v1', 'WorkerPool')
    await pools.patch({ name: 'thumbnails', namespace: 'dev' }, { spec: { replicas: 5 } })
    await expect.poll(() => deployment('thumbnails')).toMatchObject({ spec: { replicas: 5 } })
    await pools.delete({ name: 'thumbnails', namespace: 'dev' })
    await expect.poll(async () => (await deployment('thumbnails'))?.metadata.deletionTimestamp ?? 'gone').toBeTruthy()
  })
})

describe('PartiallySupported', () => {
  const ML = 'ml.colonies.io/v1beta1'
  const APP = 'app.colonies.io/v1'
  const model = { modelUri: 's3://m', framework: 'onnx' }
  const cases = [
    [
      'MLModel',
      ML,
      model,
      { ...model, servingConfig: { autoscaling: { targetCPU: 60 } }, owner: 'me' },
      ['spec.servingConfig.autoscaling.targetCPU', 'spec.owner'],
    ],
    [
      'WebService',
      APP,
      { image: 'shop:1' },
      { image: 'shop:1', env: { A: 'b' }, domain: 'shop.example' },
      ['spec.domain'],
    ],
    ['WorkerPool', APP, { executorType: 'w' }, { executorType: 'w', port: 80 }, ['spec.port']],
  ] as const

  it.each(cases)(
    'of a %s names the fields that nothing acts on, and none of the others',
    async (...[kind, api, all, more, unused]) => {
      const { create, find } = await stage()
      const partial = async (name: string) => {
        const { conditions = [] } = ((await find(api, kind, name))?.status ?? {}) as {
          conditions?: readonly { type: string }[]
        }
        return conditions.find(({ type }) => type === 'PartiallySupported')
      }
      await create({ apiVersion: api, kind, metadata: { name: 'whole' }, spec: all } as never)
      await create({ apiVersion: api, kind, metadata: { name: 'more' }, spec: more } as never)
      await expect.poll(() => partial('whole')).toMatchObject({ status: 'False', message: '' })
      await expect
        .poll(() => partial('more'))
        .toMatchObject({
          status: 'True',
          message: `nothing acts on ${unused.join(', ')}`,
        })
    },
  )
})
