// Whether anybody is there who could do it: the usual reason why nothing happens.

import type { ApiObject } from '@homeostat/client'
import type { Executor } from '@homeostat/executor/protocol'
import type { Watched } from '../../access/wait.ts'

export function executorsOfType(namespace: string, type: string): Watched {
  const fieldSelector = `spec.type=${type}`
  return { apiVersion: 'colonies.io/v1', kind: 'Executor', selection: { namespace, fieldSelector } }
}

/** A reason to wait, when there is no executor of that type. */
export function nobodyOnline(
  type: string | undefined,
  executors: readonly ApiObject[] | undefined,
): string | undefined {
  if (type === undefined || executors === undefined) return undefined
  const online = (executors as readonly Executor[]).some(
    ({ spec, status }) => spec.type === type && status?.phase === 'Online',
  )
  return online ? undefined : `no executor of type ${type} is online`
}
