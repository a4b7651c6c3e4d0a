import { expect, it } from 'vitest'
import { modelDeployment, modelReplicas, serviceDeployment } from './service-plan.ts'

const resource = { name: 'm', namespace: 'dev', uid: 'u', generation: 1, isDeleting: false, status: {} }

it.each([
  [{}, 0, 1],
  [{}, 7, 7],
  [{}, 70, 10],
  [{ batchSize: 16, autoscaling: { minReplicas: 2, maxReplicas: 6 } }, 0, 2],
  [{ batchSize: 16, autoscaling: { minReplicas: 2, maxReplicas: 6 } }, 49, 4],
  [{ batchSize: 16, autoscaling: { minReplicas: 2, maxReplicas: 6 } }, 1000, 6],
  [{ autoscaling: { minReplicas: 3, maxReplicas: 1 } }, 0, 3],
  [{ batchSize: 0 }, 4, 4],
])('a model with %j and %i predictions has %i replicas', (servingConfig, predictions, replicas) => {
  expect(modelReplicas({ servingConfig }, predictions)).toBe(replicas)
})

it('a model is a deployment of executors for its predictions', () => {
  const spec = {
    modelUri: 's3://m',
    framework: 'onnx',
    servingConfig: { batchSize: 4, image: 'server:1', runtime: 'docker' },
  }
  expect(modelDeployment({ ...resource, spec }, 9).spec).toEqual({
    executorType: 'mlmodel-m',
    replicas: 3,
    runtime: 'docker',
    image: 'server:1',
    config: { env: { MODEL_URI: 's3://m', MODEL_FRAMEWORK: 'onnx', BATCH_SIZE: '4' } },
  })
})

it('a service gets its port', () => {
  expect(serviceDeployment({ ...resource, spec: { port: 80, replicas: 2 } }).spec).toMatchObject({
    replicas: 2,
    runtime: 'local',
    config: { env: { PORT: '80' } },
  })
})
