// One Lease per Executor holds the time of its last call. It is written at most every ten seconds and read when a
// server starts.

import type { Api } from '@homeostat/apiserver'
import { LOST_SECONDS } from '@homeostat/executor/protocol'
import { isStatusError, type KubeObject, parseRfc3339, rfc3339Micro } from '@homeostat/meta'
import { LEASES } from '../kinds/resources.ts'
import type { ExecutorFacts } from '../state/executor-facts.ts'

/** Sets the Lease's renew time to now; creates the Lease if it is missing. */
export async function renewLease(api: Api, executor: ExecutorFacts, now: number): Promise<void> {
  const { namespace } = executor
  const name = leaseName(executor.name)
  const renewTime = rfc3339Micro(now)
  const renewed = await api.change(LEASES, { namespace, name }, (lease) => {
    lease.metadata.ownerReferences = ownerReferences(executor)
    lease.spec = { ...(lease.spec as object), ...leaseSpec(executor), renewTime }
  })
  if (renewed !== undefined) return
  const lease: KubeObject = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace, ownerReferences: ownerReferences(executor) },
    spec: { ...leaseSpec(executor), acquireTime: renewTime, renewTime },
  }
  try {
    await api.create(LEASES, lease)
  } catch (error) {
    // A concurrent call created it first.
    if (!isStatusError(error, 'AlreadyExists')) throw error
  }
}

/** The stored time of the executor's last call. */
export function lastRenewal(api: Api, { namespace, name }: ExecutorFacts): number | undefined {
  const lease = api.get(LEASES, { namespace, name: leaseName(name) })
  const { renewTime } = (lease?.spec ?? {}) as { renewTime?: string }
  return renewTime === undefined ? undefined : parseRfc3339(renewTime)
}

function leaseName(executor: string): string {
  return `executor-${executor}`
}

function leaseSpec({ name }: ExecutorFacts) {
  return { holderIdentity: name, leaseDurationSeconds: LOST_SECONDS }
}

function ownerReferences({ name, uid }: ExecutorFacts) {
  return [{ apiVersion: 'colonies.io/v1', kind: 'Executor', name, uid }]
}
