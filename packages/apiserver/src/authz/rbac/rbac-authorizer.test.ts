import { describe, expect, it } from 'vitest'
import { ADMINISTRATOR, type User } from '../../identity/user.ts'
import type { Attributes } from '../authorize.ts'
import { rolesAuthorizer } from './roles.fixture.ts'

const authorizer = rolesAuthorizer()
const jane: User = { username: 'jane', groups: ['system:authenticated'] }
const robot: User = { username: 'robot', groups: ['system:serviceaccounts', 'system:authenticated'] }
const anonymous: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] }

const path = (text: string, verb = 'get'): Attributes => ({ path: text, verb })
const create = (resource: string, group = 'authorization.k8s.io', subresource = ''): Attributes => ({
  verb: 'create',
  group,
  resource,
  subresource,
  namespace: '',
  name: '',
})

describe('permission by the default roles', () => {
  it.each<[User, Attributes, boolean]>([
    [ADMINISTRATOR, create('anything', 'any.group', 'status'), true],
    [ADMINISTRATOR, path('/anything', 'delete'), true],
    [jane, path('/api'), true],
    [jane, path('/api/v1'), true],
    [jane, path('/apiary'), false],
    [jane, path('/api', 'post'), false],
    [jane, path('/healthz'), true],
    [jane, path('/healthz/ping'), false],
    [jane, path('/metrics'), false],
    [jane, path('/'), false],
    [jane, path('/openid/v1/jwks'), false],
    [robot, path('/openid/v1/jwks'), true],
    [anonymous, path('/version'), true],
    [anonymous, path('/api'), false],
    [jane, create('selfsubjectaccessreviews'), true],
    [jane, create('selfsubjectaccessreviews', ''), false],
    [jane, create('selfsubjectaccessreviews', 'authorization.k8s.io', 'status'), false],
    [jane, create('subjectaccessreviews'), false],
    [jane, create('selfsubjectreviews', 'authentication.k8s.io'), true],
    [anonymous, create('selfsubjectreviews', 'authentication.k8s.io'), false],
    [{ username: 'system:masters', groups: [] }, create('x'), false],
    [{ username: 'system:admin', groups: [] }, path('/version'), false],
  ])('of %o for %o is %s', (user, attributes, allowed) => {
    expect(authorizer.authorize(user, attributes).allowed).toBe(allowed)
  })

  it('is listed as the rules that give it', () => {
    expect(authorizer.rulesOf(jane, 'lab').resourceRules.map(({ resources }) => resources)).toEqual([
      ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      ['selfsubjectreviews'],
    ])
    expect(authorizer.rulesOf(ADMINISTRATOR, 'lab').resourceRules[0]).toEqual({
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
    })
    expect(authorizer.rulesOf({ username: 'x', groups: [] }, 'lab')).toEqual({
      resourceRules: [],
      nonResourceRules: [],
    })
  })
})
