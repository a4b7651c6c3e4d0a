// The functions of the handlers of WorkerPools, WebServices and MLModels.

import type { Process, ProcessContext } from '@homeostat/executor'
import { type Fields, type Resource, readResource } from '../resource.ts'
import { partiallySupported, type Read, unusedFields } from '../unused-fields.ts'
import {
  type ExecutorDeployment,
  MODEL_FIELDS,
  modelDeployment,
  modelType,
  POOL_FIELDS,
  poolDeployment,
  SERVICE_FIELDS,
  serviceDeployment,
  serviceStatus,
} from './service-plan.ts'

/** How soon replicas follow the number of predictions that wait. */
const LOOK_AGAIN = '2s'

export function reconcileWorkerPool(context: ProcessContext): Promise<void> {
  return reconcile(context, POOL_FIELDS, poolDeployment)
}

export function reconcileWebService(context: ProcessContext): Promise<void> {
  return reconcile(context, SERVICE_FIELDS, serviceDeployment)
}

export async function deployModel(context: ProcessContext): Promise<void> {
  const { name, namespace, isDeleting } = readResource(context.kwargs)
  // Asking to look again would keep it from ending.
  if (isDeleting) return
  const predictions = await openProcesses(context, namespace, modelType({ name }))
  const more = { executorType: modelType({ name }), predictions }
  await reconcile(context, MODEL_FIELDS, (resource) => modelDeployment(resource, predictions), more)
  context.requeueAfter(LOOK_AGAIN)
}

async function reconcile(
  { kwargs, client, children, status, requeueAfter }: ProcessContext,
  read: Read,
  plan: (resource: Resource) => ExecutorDeployment,
  more: Fields = {},
): Promise<void> {
  const resource = readResource(kwargs)
  if (resource.isDeleting) return
  const wanted = plan(resource)
  children([wanted])
  const deployments = client.resourceOf<ExecutorDeployment>(wanted.apiVersion ?? '', 'ExecutorDeployment')
  const found = await deployments.find({ name: resource.name, namespace: resource.namespace })
  const now = serviceStatus({ ...wanted, ...(found?.status && { status: found.status }) })
  status({ ...now, ...more, conditions: [partiallySupported(unusedFields(resource.spec, read))] })
  if (now.readyReplicas !== now.replicas) requeueAfter(LOOK_AGAIN)
}

async function openProcesses({ client }: ProcessContext, namespace: string, type: string): Promise<number> {
  const { items } = await client.resourceOf<Process>('colonies.io/v1', 'Process').list({ namespace })
  return items.filter(({ spec, status }) => {
    const phase = status?.phase ?? 'Waiting'
    return spec.conditions.executorType === type && (phase === 'Waiting' || phase === 'Running')
  }).length
}
