import { expect, it } from 'vitest'
import type { JwtIssuer } from './jwt-issuer.ts'
import { jwtUser } from './jwt-user.ts'

const issuer: JwtIssuer = {
  url: 'https://issuer',
  audiences: ['a', 'b'],
  username: { claim: 'email', prefix: '' },
  groups: { claim: 'roles', prefix: 'team:' },
  uid: 'oid',
  requiredClaims: new Map([['tenant', 'x']]),
}
const claims = { aud: ['other', 'b'], email: 'ada@ex.io', roles: ['dev', 'ops'], oid: '7', tenant: 'x' }

it('claims become name, groups and uid', () => {
  expect(jwtUser(claims, issuer)).toEqual({
    username: 'ada@ex.io',
    groups: ['team:dev', 'team:ops', 'system:authenticated'],
    uid: '7',
  })
  expect(jwtUser({ ...claims, roles: 'dev' }, issuer)).toMatchObject({ groups: ['team:dev', 'system:authenticated'] })
  const { roles: _, oid: __, ...few } = claims
  expect(jwtUser(few, issuer)).toEqual({ username: 'ada@ex.io', groups: ['system:authenticated'] })
  expect(jwtUser({ ...claims, email_verified: true }, issuer)).toBeTypeOf('object')
})

it.each<[object, string]>([
  [{ email_verified: false }, 'not verified'],
  [{ email_verified: 'true' }, 'not verified'],
  [{ email: '' }, 'claim email'],
  [{ roles: { dev: true } }, 'claim roles'],
  [{ roles: ['dev', 1] }, 'claim roles'],
  [{ oid: 7 }, 'claim oid'],
  [{ tenant: 'y' }, 'required claim tenant'],
  [{ tenant: undefined }, 'required claim tenant'],
  [{ tenant: ['x'] }, 'required claim tenant'],
  [{ aud: 'c' }, 'audience'],
  [{ email: 'system:admin' }, 'system:'],
])('%o is refused', (more, message) => {
  expect(jwtUser({ ...claims, ...more }, issuer)).toContain(message)
})

it('no issuer makes somebody a member of a group of the system', () => {
  const plain = { ...issuer, groups: { claim: 'roles', prefix: '' } }
  expect(jwtUser({ ...claims, roles: ['system:masters'] }, plain)).toContain('"system:masters" begins with system:')
})

it('what an object inherits is no claim', () => {
  const odd = { ...issuer, username: { claim: 'constructor', prefix: '' }, requiredClaims: new Map() }
  expect(jwtUser(claims, odd)).toContain('claim constructor')
})
