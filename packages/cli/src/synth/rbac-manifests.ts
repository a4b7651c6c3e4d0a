// The roles of an operator and their bindings: a ClusterRole for what it needs in all namespaces, and a Role in each
// namespace that is named. Pure.

import { writeJson } from '@homeostat/meta'
import { type NeededRule, type PolicyRule, rolesOf } from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'
import { labelsOf, type Placement } from './labels.ts'

const API = 'rbac.authorization.k8s.io'

export interface CommentedRule {
  readonly rule: PolicyRule
  readonly comment: string
}

export interface RoleManifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: object
  /** With the reason of each, which becomes a comment. */
  readonly rules: readonly CommentedRule[]
}

export function rbacManifests(runs: readonly RunDescription[], at: Placement): (RoleManifest | object)[] {
  const roles = new Map<string | undefined, NeededRule[]>()
  for (const { rules, namespaces } of runs) {
    for (const role of rolesOf(rules, namespaces)) {
      roles.set(role.namespace, [...(roles.get(role.namespace) ?? []), ...role.rules])
    }
  }
  return [...roles]
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .flatMap(([namespace, rules]) => roleWithBinding(namespace, rules, at))
}

function roleWithBinding(
  namespace: string | undefined,
  rules: readonly NeededRule[],
  at: Placement,
): (RoleManifest | object)[] {
  const prefix = namespace === undefined ? 'Cluster' : ''
  const metadata = { name: at.name, ...(namespace !== undefined && { namespace }), labels: labelsOf(at) }
  return [
    { apiVersion: `${API}/v1`, kind: `${prefix}Role`, metadata, rules: joined(rules) },
    {
      apiVersion: `${API}/v1`,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: API, kind: `${prefix}Role`, name: at.name },
      subjects: [{ kind: 'ServiceAccount', name: at.name, namespace: at.namespace }],
    },
  ]
}

/** Equal rules become one with all reasons. */
function joined(rules: readonly NeededRule[]): CommentedRule[] {
  const byText = new Map<string, { rule: PolicyRule; reasons: Set<string> }>()
  for (const { why, apiGroups, resources, verbs, resourceNames } of rules) {
    const rule = { apiGroups, resources, verbs, ...(resourceNames && { resourceNames }) }
    const text = writeJson(rule)
    const found = byText.get(text) ?? { rule, reasons: new Set() }
    byText.set(text, found)
    found.reasons.add(why)
  }
  return [...byText.values()].map(({ rule, reasons }) => ({ rule, comment: [...reasons].join('; ') }))
}
