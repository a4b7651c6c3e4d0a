// Writes the status of a resource for executors and for the colony, each with its own field manager. An equal status is
// not written.

import type { Api } from '@homeostat/apiserver'
import { extractFields, type FieldSet, type KubeObject } from '@homeostat/meta'
import type { HandledKind } from './handled-kind.ts'
import type { ResourceStatus } from './outcome-status.ts'

export const COLONY_MANAGER = 'colonies.io/colony'
export const EXECUTOR_MANAGER = 'colonies.io/executor'

export function statusOf({ status }: KubeObject): ResourceStatus {
  return typeof status === 'object' && status !== null ? (status as ResourceStatus) : {}
}

export function nameOf({ metadata: { name = '', namespace } }: KubeObject): { name: string; namespace?: string } {
  return namespace === undefined ? { name } : { name, namespace }
}

/** Fields that the executor no longer reports are removed. */
export function applyExecutorStatus(
  api: Api,
  { apiVersion, kind, resource }: HandledKind,
  object: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Promise<KubeObject> {
  const { uid = '' } = object.metadata
  const applied = { apiVersion, kind, metadata: { ...nameOf(object), uid }, status: structuredClone(status) }
  return api.apply(resource, applied, { manager: EXECUTOR_MANAGER, subresource: 'status' })
}

/** Changes the status of the object with this uid; undefined when it was deleted. */
export function changeStatus(
  api: Api,
  { resource }: HandledKind,
  object: KubeObject,
  change: (status: ResourceStatus, current: KubeObject) => ResourceStatus | undefined,
): Promise<KubeObject | undefined> {
  return api.change(
    resource,
    nameOf(object),
    (current) => {
      if (current.metadata.uid !== object.metadata.uid) return
      const next = change(statusOf(current), current)
      if (next !== undefined) current.status = structuredClone(next)
    },
    { subresource: 'status', manager: COLONY_MANAGER },
  )
}

/** Whether the executor's field manager owns the condition Ready. */
export function isReadyByExecutor(object: KubeObject): boolean {
  const { conditions } = executorFields(object)
  return conditions?.some(({ type, status }) => type === 'Ready' && status !== undefined) ?? false
}

/** Whether the colony wrote the inventory of children. An operator that pulls writes its own. */
export function colonyRecordsChildren(object: KubeObject): boolean {
  return statusOf(object).inventory !== undefined && executorFields(object).inventory === undefined
}

function executorFields(object: KubeObject): ResourceStatus {
  interface Entry {
    readonly manager?: string
    readonly operation?: string
    readonly subresource?: string
    readonly fieldsV1?: FieldSet
  }
  const own = ((object.metadata.managedFields ?? []) as readonly Entry[]).find(
    ({ manager, operation, subresource }) =>
      manager === EXECUTOR_MANAGER && operation === 'Apply' && subresource === 'status',
  )
  return own?.fieldsV1 === undefined ? {} : statusOf(extractFields(object, own.fieldsV1) as KubeObject)
}
