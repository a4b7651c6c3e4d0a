// What the operator of Applications reads and writes; its add-on may do nothing else.

import type { DeclaredRule } from '@homeostat/apiserver/add-on'

const CHILDREN = ['get', 'list', 'watch', 'create', 'patch', 'delete']

export const applicationAccess: readonly DeclaredRule[] = [
  {
    apiGroups: ['cloudnative.elide.dev'],
    resources: ['applications'],
    verbs: ['get', 'list', 'watch', 'patch'],
  },
  { apiGroups: ['cloudnative.elide.dev'], resources: ['applications/status'], verbs: ['patch'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: CHILDREN },
  { apiGroups: [''], resources: ['pods'], verbs: CHILDREN },
  { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
]
