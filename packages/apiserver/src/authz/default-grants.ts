// What every cluster allows certain groups from its first start: the default ClusterRoles and ClusterRoleBindings, as
// data in the form of RBAC rules.

import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from '../identity/user.ts'

export interface ResourceRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
}

export interface PathRule {
  readonly verbs: readonly string[]
  /** A `*` at the end matches any suffix. */
  readonly nonResourceURLs: readonly string[]
}

export interface Grant {
  /** The name of both the role and its binding. */
  readonly name: string
  readonly groups: readonly string[]
  readonly resourceRules?: readonly ResourceRule[]
  readonly pathRules?: readonly PathRule[]
}

export const DEFAULT_GRANTS: readonly Grant[] = [
  {
    name: 'cluster-admin',
    groups: [MASTERS],
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    pathRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
  {
    name: 'system:basic-user',
    groups: [AUTHENTICATED],
    resourceRules: [
      {
        verbs: ['create'],
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
    ],
  },
  {
    name: 'system:discovery',
    groups: [AUTHENTICATED],
    pathRules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
      },
    ],
  },
  {
    name: 'system:public-info-viewer',
    groups: [AUTHENTICATED, UNAUTHENTICATED],
    pathRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }],
  },
  {
    name: 'system:service-account-issuer-discovery',
    groups: ['system:serviceaccounts'],
    pathRules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/.well-known/openid-configuration',
          '/.well-known/openid-configuration/',
          '/openid/v1/jwks',
          '/openid/v1/jwks/',
        ],
      },
    ],
  },
]
