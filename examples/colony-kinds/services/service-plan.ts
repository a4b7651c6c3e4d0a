// What a WorkerPool, a WebService and an MLModel become: each is an ExecutorDeployment, whose controller starts the programs.
// Pure.

import type { ApiObject } from '@homeostat/client'
import { type Fields, fieldsOf, numberOf, type Resource, textOf } from '../resource.ts'
import type { Read } from '../unused-fields.ts'

const RUNNING = { runtime: true, image: true, env: true, volumes: true, command: true, network: true } as const
export const POOL_FIELDS: Read = { ...RUNNING, executorType: true, replicas: true }
export const SERVICE_FIELDS: Read = { ...RUNNING, replicas: true, port: true }
export const MODEL_FIELDS: Read = {
  modelUri: true,
  framework: true,
  servingConfig: { ...RUNNING, batchSize: true, autoscaling: { minReplicas: true, maxReplicas: true } },
}

export interface ExecutorDeployment extends ApiObject {
  readonly spec: Fields
  readonly status?: { readonly phase?: string; readonly ready?: number }
}

export function poolDeployment({ spec, ...resource }: Resource): ExecutorDeployment {
  return deployment(resource, spec, {
    executorType: textOf(spec.executorType) ?? resource.name,
    replicas: numberOf(spec.replicas) ?? 1,
  })
}

/** Each replica gets its port as the variable PORT. */
export function serviceDeployment({ spec, ...resource }: Resource): ExecutorDeployment {
  const port = numberOf(spec.port)
  const env = { ...fieldsOf(spec.env), ...(port !== undefined && { PORT: String(port) }) }
  return deployment(resource, { ...spec, env }, { executorType: resource.name, replicas: numberOf(spec.replicas) ?? 1 })
}

/** Predictions are Processes for executors of this type. */
export function modelType({ name }: Pick<Resource, 'name'>): string {
  return `mlmodel-${name}`
}

/** Enough replicas for the predictions that wait and run, a batch each, within the limits. */
export function modelReplicas({ servingConfig }: Fields, predictions: number): number {
  const { batchSize, autoscaling } = fieldsOf(servingConfig)
  const { minReplicas, maxReplicas } = fieldsOf(autoscaling)
  const least = numberOf(minReplicas) ?? 1
  const most = Math.max(least, numberOf(maxReplicas) ?? 10)
  return Math.min(most, Math.max(least, Math.ceil(predictions / Math.max(1, numberOf(batchSize) ?? 1))))
}

export function modelDeployment({ spec, ...resource }: Resource, predictions: number): ExecutorDeployment {
  const serving = fieldsOf(spec.servingConfig)
  const env = {
    ...fieldsOf(serving.env),
    MODEL_URI: String(spec.modelUri),
    MODEL_FRAMEWORK: String(spec.framework),
    BATCH_SIZE: String(numberOf(serving.batchSize) ?? 1),
  }
  const own = { executorType: modelType(resource), replicas: modelReplicas(spec, predictions) }
  return deployment(resource, { ...serving, env }, own)
}

export function serviceStatus({ spec, status }: ExecutorDeployment): Fields {
  const { phase = 'Pending', ready = 0 } = status ?? {}
  return { phase, replicas: spec.replicas, readyReplicas: ready }
}

function deployment(
  { name, namespace }: Pick<Resource, 'name' | 'namespace'>,
  { runtime = 'local', image, env, volumes, command, network }: Fields,
  own: Fields,
): ExecutorDeployment {
  const config = { env, volumes, command, network }
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
  return {
    apiVersion: 'compute.colonies.io/v1',
    kind: 'ExecutorDeployment',
    metadata: { name, namespace },
    spec: {
      ...own,
      runtime,
      ...(image !== undefined && { image }),
      ...(Object.keys(given).length > 0 && { config: given }),
    },
  }
}
