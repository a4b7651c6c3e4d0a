// Reads the ExecutorDeployment from the kwargs of a process. Pure.

import { PermanentError } from '@homeostat/executor'
import { isObject } from '@homeostat/meta'
import type { DeploymentStatus } from './deployment-status.ts'
import type { Owner } from './targets/unit-identity.ts'

export interface DeploymentResource {
  readonly kind: string
  readonly owner: Owner
  readonly isDeleting: boolean
  readonly spec: unknown
  readonly status: DeploymentStatus
}

export function readResource({ kind, metadata, spec, status }: Readonly<Record<string, unknown>>): DeploymentResource {
  const { name, namespace, uid, generation, deletionTimestamp } = isObject(metadata) ? metadata : {}
  if (typeof name !== 'string' || typeof namespace !== 'string' || typeof uid !== 'string' || uid === '') {
    throw new PermanentError('kwargs hold no resource: metadata.name, metadata.namespace and metadata.uid are required')
  }
  return {
    kind: typeof kind === 'string' ? kind : 'ExecutorDeployment',
    owner: { name, namespace, uid, generation: typeof generation === 'number' ? generation : 0 },
    isDeleting: typeof deletionTimestamp === 'string',
    spec,
    status: isObject(status) ? (status as DeploymentStatus) : {},
  }
}
