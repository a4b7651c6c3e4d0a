// What the controllers of this package read and write. The server gives the add-on these rights and no others; on a cluster
// they belong in a ClusterRole.

import type { PolicyRule } from '@homeostat/operator/access'

const READ = ['get', 'list', 'watch']

export const workloadsAccess: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['deployments'], verbs: [...READ, 'patch'] },
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: [...READ, 'create', 'patch', 'delete'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: [...READ, 'create', 'patch', 'delete'] },
  { apiGroups: ['batch'], resources: ['cronjobs'], verbs: READ },
  { apiGroups: [''], resources: ['pods'], verbs: [...READ, 'create', 'patch', 'delete'] },
  { apiGroups: [''], resources: ['pods/binding'], verbs: ['create'] },
  { apiGroups: [''], resources: ['nodes'], verbs: [...READ, 'create', 'patch'] },
  {
    apiGroups: ['apps', 'batch', ''],
    resources: [
      'deployments/status',
      'replicasets/status',
      'jobs/status',
      'cronjobs/status',
      'pods/status',
      'nodes/status',
    ],
    verbs: ['update', 'patch'],
  },
  // The environment and the volumes of containers.
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: READ },
  // The tokens of pods.
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get'] },
  { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] },
  { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'patch'] },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
]
