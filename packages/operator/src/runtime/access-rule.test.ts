import { expect, it } from 'vitest'
import { type AccessRule, checkAccess, checkChildren } from './access-rule.ts'

const rule: AccessRule = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }

it('accepts rules as Kubernetes writes them', () => {
  checkAccess([rule, { ...rule, resources: ['pods/log'], resourceNames: ['web'], namespaces: ['shop'] }])
  checkAccess([{ ...rule, namespaces: 'all' }])
})

it.each<[Partial<AccessRule>, RegExp]>([
  [{ verbs: ['*'] }, /wildcards are refused/],
  [{ apiGroups: ['*'] }, /wildcards are refused/],
  [{ resources: ['*/scale'] }, /wildcards are refused/],
  [{ resourceNames: ['web-*'] }, /wildcards are refused/],
  [{ namespaces: ['*'] }, /wildcards are refused/],
  [{ resources: [] }, /resources must be a list/],
  [{ apiGroups: ['apps/v1'] }, /the group of apps\/v1 is written without its version/],
  [{ resources: ['Deployment'] }, /"Deployment" is not a plural/],
  [{ verbs: ['get', 'create'], resourceNames: ['web'] }, /RBAC cannot limit create/],
])('refuses %j', (change, message) => {
  expect(() => checkAccess([{ ...rule, ...change }])).toThrow(message)
})

it('a kind of a child is written with its version', () => {
  checkChildren(['v1/ConfigMap', 'apps/v1/Deployment', 'ex.io/v1beta1/Site'])
  for (const wrong of ['ConfigMap', 'apps/Deployment', 'v1/configmaps', 'v1/Pod/log']) {
    expect(() => checkChildren([wrong])).toThrow(`children: "${wrong}" names no kind; write it as v1/ConfigMap or`)
  }
})
