import { expect, it } from 'vitest'
import { type AccessRule, checkAccess } from './access-rule.ts'

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
