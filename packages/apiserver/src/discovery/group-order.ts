// The order of groups in discovery: well-known groups by Kubernetes' rank, then all others by name. Clients that know
// only a kind or a short name take the first group that has it, so that the order is part of the API.

const WELL_KNOWN = [
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]

const RANK = new Map(WELL_KNOWN.map((group, index) => [group, index]))

/** Compares group names. The core group, whose name is empty, comes first. */
export function compareGroups(a: string, b: string): number {
  if (a === b) return 0
  const byRank = rank(a) - rank(b)
  if (byRank !== 0) return byRank
  return a < b ? -1 : 1
}

function rank(group: string): number {
  return group === '' ? -1 : (RANK.get(group) ?? WELL_KNOWN.length)
}
