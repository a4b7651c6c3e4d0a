import { expect, it } from 'vitest'
import type { RequestInfo } from './request-info.ts'
import { allows, rolesOf } from './roles.ts'

const sites = { why: 'x', apiGroups: ['ex.io'], resources: ['sites'], verbs: ['get', 'list'] }
const lease = {
  why: 'y',
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['get', 'update', 'list'],
  resourceNames: ['leader'],
  namespaces: ['default'],
}

it('rules without namespaces are for those of the operator, or all', () => {
  expect(rolesOf([sites, lease], undefined)).toEqual([
    { namespace: undefined, rules: [sites] },
    { namespace: 'default', rules: [lease] },
  ])
  const everywhere = { ...sites, namespaces: 'all' as const }
  expect(rolesOf([lease, sites, everywhere], ['shop', 'default'])).toEqual([
    { namespace: undefined, rules: [everywhere] },
    { namespace: 'default', rules: [lease, sites] },
    { namespace: 'shop', rules: [sites] },
  ])
})

const get: RequestInfo = { verb: 'get', group: 'ex.io', resource: 'sites', namespace: 'shop', name: 's' }
const leader = { verb: 'get', group: 'coordination.k8s.io', resource: 'leases', namespace: 'default', name: 'leader' }

it.each<[string, RequestInfo, boolean]>([
  ['what a rule names', get, true],
  ['another verb', { ...get, verb: 'patch' }, false],
  ['another group', { ...get, group: '' }, false],
  ['another resource', { ...get, resource: 'pages' }, false],
  ['a subresource', { ...get, subresource: 'status' }, false],
  ['a name in the list', leader, true],
  ['a name that is not', { ...leader, name: 'other' }, false],
  ['a list of all, with names', { ...leader, verb: 'list', name: undefined }, false],
  ['an object whose name is unknown', { ...leader, name: undefined }, true],
  ['another namespace', { ...leader, namespace: 'shop' }, false],
])('%s', (_, request, allowed) => {
  expect(allows(rolesOf([sites, lease], undefined), request)).toBe(allowed)
})
