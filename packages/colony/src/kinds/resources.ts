// The resources that the colony reads and writes, and the errors of its calls.

import type { ObjectName, ResourceName } from '@homeostat/apiserver'
import { REPLACED } from '@homeostat/executor/protocol'
import { conflict, type StatusError } from '@homeostat/meta'
import type { Cause } from '@homeostat/meta/server'

export const PROCESSES: ResourceName = { group: 'colonies.io', resource: 'processes' }
export const GRAPHS: ResourceName = { group: 'colonies.io', resource: 'processgraphs' }
export const GRAPH_PARTS: ResourceName = { group: 'colonies.io', resource: 'processgraphparts' }
export const SCHEDULES: ResourceName = { group: 'colonies.io', resource: 'schedules' }
export const EXECUTORS: ResourceName = { group: 'colonies.io', resource: 'executors' }
export const BOOTSTRAP_TOKENS: ResourceName = { group: 'colonies.io', resource: 'bootstraptokens' }
export const LEASES: ResourceName = { group: 'coordination.k8s.io', resource: 'leases' }
export const NAMESPACES: ResourceName = { group: '', resource: 'namespaces' }

/** `namespace/name`, as the cache names objects. */
export function keyOf({ namespace = '', name }: ObjectName): string {
  return `${namespace}/${name}`
}

export function nameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}

/** 409: the executor does not hold the Process in that attempt. */
export function notTheHolder(name: string, message: string): StatusError {
  return conflict(PROCESSES, name, message)
}

/** 409: another program was started under this name later. */
export function replacedBy(name: string): StatusError {
  const message = `another executor was started under the name ${name}: names must differ`
  return conflict(EXECUTORS, name, message, [{ reason: REPLACED, field: 'instance', message }])
}

/** 409 for a call with several outcomes: one cause for each that was refused. */
export function refusedCloses(executor: string, causes: readonly Cause[]): StatusError {
  return conflict(EXECUTORS, executor, causes.map((cause) => cause.message).join('; '), [...causes])
}
