// Lets an executor in that joined, or ends its credential: as `homeostat executor approve` and `reject` do.

import { accountName, executorAccount } from '@homeostat/executor/account'
import { client } from '../../connection/client.ts'
import type { Candidate } from './executor-lines.ts'

type Who = Pick<Candidate, 'namespace' | 'name' | 'type'>

export async function approveExecutor({ namespace, name, type }: Who): Promise<void> {
  const { binding } = executorAccount({ namespace, name, type })
  await client.resourceOf('rbac.authorization.k8s.io/v1', 'RoleBinding').create(binding as never)
}

/** The account first: with it ends every token. */
export async function rejectExecutor({ namespace, name }: Who): Promise<void> {
  const place = { namespace, name: accountName(name) }
  await client.resourceOf('v1', 'ServiceAccount').delete(place)
  await client.resourceOf('rbac.authorization.k8s.io/v1', 'Role').delete(place)
}
