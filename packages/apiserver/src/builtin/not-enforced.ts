// Kinds that forbid or limit something in Kubernetes, and that this server stores without enforcing. A write gets a
// warning, because such an object looks like protection. The table of built-in kinds merges it in.

import type { KubeObject } from '@homeostat/meta'
import type { KindRules } from './schema-strategy.ts'

/** By `group/resource`, with `core` for the core group: what is not enforced. */
const NOT_ENFORCED: Readonly<Record<string, string>> = {
  'flowcontrol.apiserver.k8s.io/flowschemas': 'requests are not sorted by it',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': 'requests are not limited by it',
  'networking.k8s.io/networkpolicies': 'no traffic is blocked by it',
}

export function notEnforced(key: string): Partial<KindRules> {
  const consequence = NOT_ENFORCED[key]
  return consequence === undefined ? {} : { warnings: () => [`stored, not enforced yet: ${consequence}`] }
}

const POD_SECURITY = 'pod-security.kubernetes.io/enforce'

/** Only this label of a Namespace is a rule. */
export function podSecurityWarnings({ metadata }: KubeObject): string[] {
  return metadata.labels?.[POD_SECURITY] === undefined
    ? []
    : [`label ${POD_SECURITY}: stored, not enforced yet: no Pod is refused by it`]
}
