// A rule of a Role or ClusterRole, read from the stored object. Stored roles may be of any shape, so nothing is assumed.

import type { KubeObject } from '@homeostat/meta'
import { fieldsOf, listOf } from '../../builtin/fields-of.ts'

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  /** Empty: every name. */
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export function rulesOfRole(role: KubeObject): PolicyRule[] {
  return listOf(role.rules).map((item) => {
    const rule = fieldsOf(item)
    return {
      verbs: texts(rule.verbs),
      apiGroups: texts(rule.apiGroups),
      resources: texts(rule.resources),
      resourceNames: texts(rule.resourceNames),
      nonResourceURLs: texts(rule.nonResourceURLs),
    }
  })
}

function texts(value: unknown): string[] {
  return listOf(value).filter((item) => typeof item === 'string')
}
