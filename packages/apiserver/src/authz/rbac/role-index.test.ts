import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import type { User } from '../../identity/user.ts'
import { RBAC_GROUP } from './policy-rule.ts'
import { RbacAuthorizer } from './rbac-authorizer.ts'
import { RoleIndex } from './role-index.ts'
import { FakeRoles } from './roles.fixture.ts'

const jane: User = { username: 'jane', groups: ['team'] }
const robot: User = { username: 'system:serviceaccount:lab:robot', groups: [] }
const RULES = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
const pods = { verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'lab', name: 'a' }

const role = (name: string, rules: object[] = RULES, namespace?: string): KubeObject => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: namespace === undefined ? 'ClusterRole' : 'Role',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  rules,
})
const binding = (name: string, to: KubeObject, subjects: object[], namespace?: string): KubeObject => ({
  apiVersion: `${RBAC_GROUP}/v1`,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name, ...(namespace !== undefined && { namespace }) },
  roleRef: { apiGroup: RBAC_GROUP, kind: to.kind, name: to.metadata.name },
  subjects,
})
const user = (name: string) => ({ kind: 'User', name })

function serve(...objects: KubeObject[]) {
  const roles = new FakeRoles(objects)
  const authorizer = new RbacAuthorizer(new RoleIndex(roles.source))
  const may = (who: User, attributes: object = {}) => authorizer.authorize(who, { ...pods, ...attributes }).allowed
  return { roles, authorizer, may }
}

describe('rights follow', () => {
  const reader = role('reader')
  const bound = binding('readers', reader, [user('jane')])

  it('a binding that is made, changed and deleted', () => {
    const { roles, may } = serve(reader)
    expect(may(jane)).toBe(false)
    roles.set(bound)
    expect(may(jane)).toBe(true)
    roles.set({ ...bound, subjects: [user('tom')] })
    expect([may(jane), may({ username: 'tom', groups: [] })]).toEqual([false, true])
    roles.set(bound)
    roles.delete(bound)
    expect(may(jane)).toBe(false)
  })

  it('a role that is changed, deleted and made again', () => {
    const { roles, may } = serve(reader, bound)
    expect(may(jane)).toBe(true)
    roles.set(role('reader', []))
    expect(may(jane)).toBe(false)
    roles.delete(reader)
    expect(may(jane)).toBe(false)
    roles.set(reader)
    expect(may(jane)).toBe(true)
  })

  it('the namespace of a RoleBinding, whichever role it names', () => {
    const local = role('local', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }], 'lab')
    const { may } = serve(
      reader,
      local,
      binding('a', reader, [user('jane')], 'lab'),
      binding('b', local, [user('jane')], 'lab'),
      // A Role of another namespace is not meant.
      binding('c', local, [user('jane')], 'other'),
    )
    expect([may(jane), may(jane, { namespace: 'other' }), may(jane, { namespace: '' })]).toEqual([true, false, false])
    const secrets = (namespace: string) => may(jane, { resource: 'secrets', namespace })
    expect([secrets('lab'), secrets('other')]).toEqual([true, false])
  })

  it('one of two bindings when the other goes', () => {
    const second = binding('second', reader, [{ kind: 'Group', name: 'team' }, user('jane')])
    const { roles, may } = serve(reader, bound, second)
    expect(may(jane)).toBe(true)
    roles.delete(bound)
    expect(may(jane)).toBe(true)
    roles.delete(second)
    expect(may(jane)).toBe(false)
  })

  it('the home of a service account: without a namespace, that of the binding', () => {
    const account = { kind: 'ServiceAccount', name: 'robot' }
    expect(serve(reader, binding('x', reader, [account], 'lab')).may(robot)).toBe(true)
    expect(serve(reader, binding('x', reader, [{ ...account, namespace: 'other' }], 'lab')).may(robot)).toBe(false)
    expect(serve(reader, binding('x', reader, [account])).may(robot)).toBe(false)
  })
})

it('a binding to a role that does not exist is named in the refusal', () => {
  const { authorizer } = serve(binding('x', role('nothing'), [user('jane')]))
  expect(authorizer.authorize(jane, pods)).toEqual({
    allowed: false,
    reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "nothing" not found',
  })
})

it('roles and bindings of any shape grant nothing and break nothing', () => {
  const odd = (fields: object): KubeObject => ({ ...role('odd'), ...fields })
  const shapes: unknown[] = [null, 7, 'x', [], {}, [null], [7], [{ verbs: 'get' }], [{ verbs: [1], resources: {} }]]
  for (const shape of shapes) {
    const link = { ...binding('x', role('odd'), [user('jane')]), subjects: shape }
    const { may } = serve(odd({ rules: shape }), link, binding('y', role('odd'), [user('jane')]))
    expect(may(jane)).toBe(false)
    expect(serve(role('odd'), { ...binding('x', role('odd'), [user('jane')]), roleRef: shape }).may(jane)).toBe(false)
  }
})
