// The objects of the demonstration: the definition of a kind whose resources are executors, and one such resource.

import type { Handler } from '@homeostat/executor/protocol'

export const COLONY = 'dev'

export const handler = {
  executorType: 'executor-deployment-controller',
  functionName: 'reconcile_executor_deployment',
  reconcileInterval: 30,
} satisfies Handler

export const definition = {
  apiVersion: 'colonies.io/v1',
  kind: 'ResourceDefinition',
  metadata: { name: 'executordeployments.compute.colonies.io' },
  spec: {
    group: 'compute.colonies.io',
    version: 'v1',
    names: { kind: 'ExecutorDeployment', plural: 'executordeployments', shortNames: ['ed'] },
    scope: 'Namespaced',
    handler,
    schema: {
      type: 'object',
      properties: {
        runtime: { type: 'string', enum: ['kubernetes', 'docker', 'local'] },
        replicas: { type: 'integer', minimum: 0 },
        executorType: { type: 'string' },
      },
      required: ['runtime', 'replicas', 'executorType'],
    },
  },
}

export const resource = {
  apiVersion: 'compute.colonies.io/v1',
  kind: 'ExecutorDeployment',
  metadata: { name: 'ml-training-executors', namespace: COLONY },
  spec: { runtime: 'local', replicas: 3, executorType: 'ml-executor', config: { env: { BATCH_SIZE: '32' } } },
}
