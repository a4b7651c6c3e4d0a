import { isStatusError } from '@homeostat/meta'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Authorizer } from '../authz/authorize.ts'
import { rolesAuthorizer } from '../authz/rbac/roles.fixture.ts'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import { impersonate, impersonationHeaders, wantsImpersonation } from './impersonate.ts'

const authorizer = rolesAuthorizer()
const nobody: User = { username: 'nobody', groups: ['system:authenticated'] }

describe('impersonation', () => {
  it.each<[Record<string, string[]>, Partial<User>]>([
    [{ 'impersonate-user': ['jane'] }, { username: 'jane', groups: ['system:authenticated'] }],
    [
      { 'impersonate-user': ['jane'], 'impersonate-group': ['a', 'b'] },
      { username: 'jane', groups: ['a', 'b', 'system:authenticated'] },
    ],
    [
      { 'impersonate-user': ['system:serviceaccount:lab:robot'] },
      { groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'] },
    ],
    [
      { 'impersonate-user': ['system:serviceaccount:lab:robot'], 'impersonate-group': ['only'] },
      { groups: ['only', 'system:authenticated'] },
    ],
    [{ 'impersonate-user': ['system:serviceaccount:lab'] }, { groups: ['system:authenticated'] }],
    [{ 'impersonate-user': ['system:anonymous'] }, { groups: ['system:unauthenticated'] }],
    [
      { 'impersonate-user': ['x'], 'impersonate-group': ['system:unauthenticated'] },
      { groups: ['system:unauthenticated'] },
    ],
    [
      { 'impersonate-user': ['x'], 'impersonate-group': ['system:authenticated'] },
      { groups: ['system:authenticated'] },
    ],
    [
      { 'impersonate-user': ['x'], 'impersonate-extra-a%2fb': ['1', '2'], 'impersonate-extra-bad%zz': ['3'] },
      { extra: { 'a/b': ['1', '2'], 'bad%zz': ['3'] } },
    ],
    [{ 'impersonate-user': ['x'], 'impersonate-extra-__proto__': ['1'] }, { extra: { ['__proto__']: ['1'] } }],
    [{ 'impersonate-user': ['x'], 'impersonate-uid': ['7'] }, { uid: '7' }],
  ])('with %o makes %o', async (headers, user) => {
    const made = await impersonate(ADMINISTRATOR, headers, authorizer)
    expect(made).toMatchObject({ ...user, extra: expect.anything() })
    if (user.extra) expect(JSON.stringify(made.extra)).toBe(JSON.stringify(user.extra))
  })

  it('keeps nothing of the impersonating user', () => {
    const master: User = { ...ADMINISTRATOR, uid: 'secret', extra: { a: ['b'] } }
    expect(JSON.stringify(impersonate(master, { 'impersonate-user': ['jane'] }, authorizer))).not.toMatch(
      /masters|secret|"a"/,
    )
  })

  it.each<[Record<string, string[]>, string]>([
    [{ 'impersonate-user': ['jane'] }, 'users "jane" is forbidden'],
    [{ 'impersonate-user': ['system:serviceaccount:lab:robot'] }, 'serviceaccounts "robot" is forbidden'],
  ])('with %o is refused to those who may not', (headers, text) => {
    expect(() => impersonate(nobody, headers, authorizer)).toThrow(text)
  })

  it.each<[Record<string, string[]>, string]>([
    [{ 'impersonate-group': ['g', 'h'] }, 'requested [{Group  g    } {Group  h    }] without impersonating a user'],
    [{ 'impersonate-uid': ['u'] }, 'requested [{UID  u  authentication.k8s.io/v1  }] without impersonating a user'],
    [
      { 'impersonate-extra-x': ['v'] },
      'requested [{UserExtra  v  authentication.k8s.io/v1  x}] without impersonating a user',
    ],
  ])('with %o but no user makes no sense', (headers, text) => {
    expect(() => impersonate(ADMINISTRATOR, headers, authorizer)).toThrow(text)
  })

  it.each<[Record<string, string[]>, string]>([
    [{ 'impersonate-user': [''] }, 'the header impersonate-user is empty'],
    [{ 'impersonate-user': ['', 'jane'] }, 'the header impersonate-user stands there 2 times'],
    [{ 'impersonate-user': ['jane', 'system:admin'] }, 'the header impersonate-user stands there 2 times'],
    [
      { 'impersonate-user': ['jane'], 'impersonate-uid': ['1', '2'] },
      'the header impersonate-uid stands there 2 times',
    ],
    [{ 'impersonate-user': ['jane'], 'impersonate-uid': [''] }, 'the header impersonate-uid is empty'],
  ])('with %o is refused: the request must not go on with the rights of its sender', (headers, text) => {
    expect(() => impersonate(ADMINISTRATOR, headers, authorizer)).toThrow(text)
  })

  it('asks for one permission after the other when the authorizer answers later, and stops at the first refusal', async () => {
    const asked: string[] = []
    const later: Authorizer = {
      rulesOf: () => ({ resourceRules: [], nonResourceRules: [] }),
      authorize: async (_, attributes) => {
        await new Promise((resolve) => setImmediate(resolve))
        asked.push('name' in attributes ? `${attributes.resource} ${attributes.name}` : '')
        return { allowed: !asked.includes('groups b'), reason: '' }
      },
    }
    const headers = { 'impersonate-user': ['jane'], 'impersonate-group': ['a'] }
    expect(await impersonate(nobody, headers, later)).toMatchObject({ username: 'jane' })
    const refused = { 'impersonate-user': ['jane'], 'impersonate-group': ['a', 'b', 'c'] }
    await expect(impersonate(nobody, refused, later)).rejects.toThrow('groups "b" is forbidden')
    expect(asked).toEqual(['users jane', 'groups a', 'users jane', 'groups a', 'groups b'])
  })

  it('reads every value of a header, whatever the case of its name', () => {
    const sent = ['Host', 'x', 'Impersonate-Group', 'a', 'impersonate-user', 'jane', 'IMPERSONATE-GROUP', 'b']
    expect(impersonationHeaders(sent)).toEqual({ 'impersonate-user': ['jane'], 'impersonate-group': ['a', 'b'] })
  })

  it('never leaves anybody but the masters with more than they had', () => {
    const names = fc.constantFrom('impersonate-user', 'impersonate-group', 'impersonate-uid', 'impersonate-extra-x')
    const values = fc.array(fc.constantFrom('', 'jane', 'system:masters', 'system:admin'), { minLength: 1 })
    fc.assert(
      fc.property(fc.dictionary(names, values), (headers) => {
        try {
          expect(impersonate(nobody, headers, authorizer)).toBe(nobody)
        } catch (error) {
          expect(isStatusError(error)).toBe(true)
        }
      }),
    )
  })

  it('is noticed whatever the case of its letters', () => {
    expect(wantsImpersonation(['Host', 'x', 'IMPERSONATE-user', 'y'])).toBe(true)
    expect(wantsImpersonation(['impersonate-extra-', 'y'])).toBe(true)
    expect(wantsImpersonation(['If-None-Match', 'impersonate-user', 'Import-Something', 'x'])).toBe(false)
  })
})
