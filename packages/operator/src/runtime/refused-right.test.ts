import { conflict, forbidden } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { refusedRight, refusedText } from './refused-right.ts'

const apps = { group: 'apps', resource: 'deployments' }
const cannot = (text: string, causes?: Parameters<typeof forbidden>[2]) =>
  forbidden(apps, `User "o" cannot ${text}`, causes)

it.each([
  [
    cannot('patch resource "deployments/scale" in API group "apps" in the namespace "lab"'),
    { verb: 'patch', resource: 'deployments.apps/scale', namespace: 'lab' },
  ],
  [cannot('list resource "nodes" in API group "" at the cluster scope'), { verb: 'list', resource: 'nodes' }],
  [cannot('get path "/metrics"'), { verb: 'get', resource: '/metrics' }],
  [
    new Error('the child cannot be applied', {
      cause: cannot('create resource "pods" in API group "" in the namespace "a"', [
        { reason: 'MissingRule', message: 'kubectl create role', field: '' },
      ]),
    }),
    { verb: 'create', resource: 'pods', namespace: 'a', grant: 'kubectl create role' },
  ],
  [forbidden(apps, 'the namespace is being deleted'), undefined],
  [conflict(apps, 'x', 'no'), undefined],
  [new Error('no'), undefined],
])('%s lacks %o', (error, right) => {
  expect(refusedRight(error)).toEqual(right)
})

it('says what to do', () => {
  expect(refusedText({ verb: 'create', resource: 'pods', namespace: 'a', grant: 'kubectl …' })).toBe(
    'the operator may not create pods in the namespace "a"; an administrator allows it with: kubectl …',
  )
  expect(refusedText({ verb: 'list', resource: 'nodes' })).toBe(
    'the operator may not list nodes at the cluster scope; add the rule to its role',
  )
})
