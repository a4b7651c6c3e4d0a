// Sorts the rules of an operator into roles, one for all namespaces and one per namespace, and judges requests by them as
// RBAC does. Pure.

import type { NeededRule, PolicyRule } from '../runtime/access-rule.ts'
import type { RequestInfo } from './request-info.ts'

export interface AccessRole {
  /** Undefined: a ClusterRole. */
  readonly namespace: string | undefined
  readonly rules: readonly NeededRule[]
}

/** The ClusterRole comes first, then the namespaces in order. `own` are the operator's namespaces; undefined: all. */
export function rolesOf(rules: readonly NeededRule[], own: readonly string[] | undefined): AccessRole[] {
  const roles = new Map<string | undefined, NeededRule[]>()
  for (const rule of rules) {
    const { namespaces = own } = rule
    for (const namespace of namespaces === undefined || namespaces === 'all' ? [undefined] : namespaces) {
      roles.set(namespace, [...(roles.get(namespace) ?? []), rule])
    }
  }
  return [...roles]
    .map(([namespace, some]) => ({ namespace, rules: some }))
    .sort((a, b) => compare(a.namespace ?? '', b.namespace ?? ''))
}

/** Whether one of the roles allows the request. */
export function allows(roles: readonly AccessRole[], request: RequestInfo): boolean {
  return roles.some(
    ({ namespace, rules }) =>
      (namespace === undefined || namespace === request.namespace) && rules.some((rule) => matches(rule, request)),
  )
}

/** Whether the rule allows the request in its namespace. A request whose name is unknown matches any names. */
export function matches(rule: PolicyRule, { verb, group, resource, subresource, name }: RequestInfo): boolean {
  const { apiGroups, resources, verbs, resourceNames } = rule
  const path = subresource === undefined ? resource : `${resource}/${subresource}`
  const named =
    resourceNames === undefined || (name === undefined ? !COLLECTION.has(verb) : resourceNames.includes(name))
  return named && verbs.includes(verb) && apiGroups.includes(group) && resources.includes(path)
}

/** Verbs of requests that may be about all objects. */
const COLLECTION = new Set(['list', 'watch', 'create', 'deletecollection'])

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
