// Which permissions it takes to act as an executor, and to write its Executor object. An executor is a service account: acting
// as E is `create` on `executors/assign` with the name E, and being of the type T is `use` on `executortypes` with the name T.

import type { ResourceAttributes, TypeRules } from '@homeostat/apiserver'
import type { ExecutorSpec } from '@homeostat/executor/protocol'
import { deepEqual, forbidden, type KubeObject } from '@homeostat/meta'
import type { ExecutorName } from '../queue/executor-liveness.ts'

const GROUP = 'colonies.io'

type ExecutorWrite = Parameters<NonNullable<TypeRules['permissions']>>[0]

/** Every call of an executor needs this, wherever it names the executor: in its path, its query or its body. */
export function actingAs({ namespace, name }: ExecutorName): ResourceAttributes {
  return { verb: 'create', group: GROUP, resource: 'executors', subresource: 'assign', namespace, name }
}

/** Being an executor of the type needs this. */
export function useOfType(namespace: string, type: string): ResourceAttributes {
  return { ...place(namespace), verb: 'use', resource: 'executortypes', name: type }
}

/** What a create or update of an Executor needs. Throws 403 when an executor changes its own type or account. */
export function executorPermissions({ request, object, old }: ExecutorWrite): ResourceAttributes[] {
  const { namespace = '', user } = request
  const { name = '' } = object.metadata
  const spec = specOf(object)
  const before = old && specOf(old)
  if (
    before !== undefined &&
    deepEqual(spec, before) &&
    deepEqual(object.metadata.annotations, old?.metadata.annotations)
  )
    return []
  const needed = [actingAs({ namespace, name })]
  const newType = spec.type !== before?.type
  const newAccount = spec.serviceAccountName !== before?.serviceAccountName
  if (
    before !== undefined &&
    (newType || newAccount) &&
    isAccount(user.username, namespace, before.serviceAccountName)
  ) {
    const field = newType ? 'type' : 'serviceAccountName'
    const text = `an executor cannot change its own spec.${field}; an administrator can, or delete the Executor and give its account the right to another type`
    throw forbidden({ group: GROUP, resource: 'executors', name }, text)
  }
  if (newType) needed.push(useOfType(namespace, spec.type))
  const { serviceAccountName: account } = spec
  if (newAccount && account !== undefined && !isAccount(user.username, namespace, account))
    needed.push({ ...place(namespace), verb: 'impersonate', group: '', resource: 'serviceaccounts', name: account })
  return needed
}

/** The account of a user, if it is one of the namespace. */
export function accountOf(username: string, namespace: string): string | undefined {
  const prefix = `system:serviceaccount:${namespace}:`
  return username.startsWith(prefix) ? username.slice(prefix.length) : undefined
}

function isAccount(username: string, namespace: string, account: string | undefined): boolean {
  return account !== undefined && accountOf(username, namespace) === account
}

function place(namespace: string) {
  return { group: GROUP, subresource: '', namespace }
}

function specOf(object: KubeObject): ExecutorSpec {
  return object.spec as ExecutorSpec
}
