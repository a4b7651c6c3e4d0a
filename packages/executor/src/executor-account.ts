// The account of one executor, with the smallest rights that it can work with: a service account, a Role and its binding.
// `homeostat executor create`, bootstrap tokens and ExecutorDeployments make the same ones. Pure.

import type { ApiObject } from '@homeostat/client'
import { COLONIES } from './protocol.ts'

/** On the account, the Role and the binding: the name of the executor, and its type. */
export const EXECUTOR_LABEL = 'colonies.io/executor'
export const EXECUTOR_TYPE_ANNOTATION = 'colonies.io/executor-type'

export interface AccountOptions {
  readonly namespace: string
  /** The name of the executor. */
  readonly name: string
  readonly type: string
  /** The kinds of children that it may report, as `resource` or `resource.group`. */
  readonly children?: readonly string[]
  readonly ownerReferences?: ApiObject['metadata']['ownerReferences']
}

export interface ExecutorAccount {
  readonly account: ApiObject
  readonly role: ApiObject
  /** Without it the account may do nothing: an executor that waits for its approval has none. */
  readonly binding: ApiObject
}

/** What an executor may do with the kinds of its children. */
export const childVerbs = ['get', 'list', 'create', 'patch', 'delete'] as const

/** A kind of children, written as `resource` or `resource.group`. */
export function resourceOfChild(child: string): { readonly resource: string; readonly group: string } {
  const [resource = '', ...rest] = child.split('.')
  return { resource, group: rest.join('.') }
}

/** The name of the account, the Role and the binding of an executor. */
export function accountName(executor: string): string {
  return `executor-${executor}`
}

export function executorAccount(options: AccountOptions): ExecutorAccount {
  const { namespace, name, type, ownerReferences } = options
  const metadata = {
    name: accountName(name),
    namespace,
    labels: { [EXECUTOR_LABEL]: name },
    annotations: { [EXECUTOR_TYPE_ANNOTATION]: type },
    ...(ownerReferences && { ownerReferences }),
  }
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  const subjects = [{ kind: 'ServiceAccount', name: metadata.name, namespace }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name }
  return {
    account: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    role: { apiVersion, kind: 'Role', metadata, rules: rulesFor(options) } as ApiObject,
    binding: { apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef } as ApiObject,
  }
}

function rulesFor({ namespace, name, type, children = [] }: AccountOptions): object[] {
  const rule = (group: string, resources: readonly string[], verbs: readonly string[], ...names: string[]) => ({
    apiGroups: [group],
    resources,
    verbs,
    ...(names.length > 0 && { resourceNames: names }),
  })
  const { group } = COLONIES
  return [
    // Whoever acts as an executor needs this for its name. The other rights are limited by it, or by their names.
    rule(group, ['executors/assign', 'executors/heartbeat'], ['create'], name),
    rule(group, ['executortypes'], ['use'], type),
    rule(group, ['executors'], ['create']),
    rule(group, ['executors'], ['get', 'patch', 'update', 'delete'], name),
    // Of the attempts that it holds.
    rule(group, ['processes/close', 'processes/log', 'processes/nodes'], ['create']),
    rule(group, ['processes/input'], ['get']),
    // To renew its token, and to see that its colony is deleted.
    rule('', ['serviceaccounts/token'], ['create'], accountName(name)),
    rule('', ['namespaces'], ['get'], namespace),
    ...children.map((child) => {
      const { resource, group: groupOfChild } = resourceOfChild(child)
      return rule(groupOfChild, [resource], childVerbs)
    }),
  ]
}
