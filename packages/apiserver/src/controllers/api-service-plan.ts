// Plans which APIServices to create and delete: one exists for each group and version that is served. Pure.

import type { KubeObject } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'

export interface ApiServicePlan {
  readonly create: readonly KubeObject[]
  /** Names. */
  readonly remove: readonly string[]
}

type Served = Pick<ResourceType, 'group' | 'version' | 'custom'>

/** The group of APIServices itself has none. */
const OWN_GROUP = 'apiregistration.k8s.io'
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged'

export function planApiServices(served: Iterable<Served>, existing: ReadonlySet<string>): ApiServicePlan {
  const wanted = new Map<string, Served>()
  for (const type of served) if (type.group !== OWN_GROUP) wanted.set(`${type.version}.${type.group}`, type)
  return {
    create: [...wanted].filter(([name]) => !existing.has(name)).map(([name, type]) => apiService(name, type)),
    remove: [...existing].filter((name) => !wanted.has(name)),
  }
}

function apiService(name: string, { group, version, custom }: Served): KubeObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [MANAGED]: custom ? 'true' : 'onstart' } },
    spec: {
      ...(group !== '' && { group }),
      version,
      groupPriorityMinimum: GROUPS[group] ?? OTHER_GROUPS,
      versionPriority: VERSIONS[`${group}/${version}`] ?? (custom ? 100 : 15),
    },
  }
}

/** Clients that know only a kind search groups in this order. */
const GROUPS: Readonly<Record<string, number>> = {
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'admissionregistration.k8s.io': 16700,
  'apiextensions.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
}
const OTHER_GROUPS = 1000
const VERSIONS: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
}
