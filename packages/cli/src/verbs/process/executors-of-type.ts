// Whether anybody is there who could do it: the usual reason why nothing happens.

import type { ApiObject } from '@homeostat/client'
import type { Executor } from '@homeostat/executor/protocol'
import type { Watched } from '../../access/wait.ts'

/** The type of a handler that the colony itself is: no executor is needed. */
export const COMPOSITE = 'composite'

export function executorsOfType(namespace: string, type: string): Watched {
  const fieldSelector = `spec.type=${type}`
  return { apiVersion: 'colonies.io/v1', kind: 'Executor', selection: { namespace, fieldSelector } }
}

/** A reason to wait, when there is no executor of that type. */
export function nobodyOnline(
  type: string | undefined,
  executors: readonly ApiObject[] | undefined,
): string | undefined {
  if (type === undefined || type === COMPOSITE || executors === undefined) return undefined
  const online = (executors as readonly Executor[]).some(
    ({ spec, status }) => spec.type === type && status?.phase === 'Online',
  )
  return online ? undefined : `no executor of type ${type} is online`
}
