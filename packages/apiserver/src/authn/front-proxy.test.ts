import { X509Certificate } from 'node:crypto'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { expect, test } from 'vitest'
import type { User } from '../identity/user.ts'
import { callerHeaders, FrontProxy } from './front-proxy.ts'
import { MEMBERS } from './members-group.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const OWN = makeAuthority(NOW)
const OTHER = makeAuthority(NOW)

function certificate(authority = OWN, groups = [MEMBERS], usage: 'client' | 'server' = 'client') {
  const times = { notBefore: new Date(NOW - 1000), notAfter: new Date(NOW + 1000) }
  const request = { commonName: 'system:homeostat:member:a', organizations: groups, usage, ...times }
  return new X509Certificate(issueCertificate(authority, request).certificate)
}

const proxy = (now = NOW) =>
  new FrontProxy(
    () => OWN.certificate,
    () => now,
  )
const raw = (user: User) => callerHeaders(user).flat()
const ANN: User = { username: 'ann', groups: ['system:masters'] }

test.each<[string, User]>([
  ['a name', { username: 'ann', groups: [] }],
  ['groups, a uid and extras', { username: 'a', uid: '7', groups: ['x', 'y'], extra: { scopes: ['1', '2'] } }],
  ['signs of all kinds', { username: 'ä %41\n,b', groups: ['a, b', '%'], extra: { 'Ex.io/Ä %': ['\r\nx: y', ''] } }],
  ['a service account', { username: 'system:serviceaccount:a:b', groups: ['system:serviceaccounts'] }],
])('%s comes back as it was', (_, user) => {
  const headers = raw(user)
  for (const text of headers) expect(text).toMatch(/^[\x20-\x7e]*$/)
  expect(proxy().callerOf(certificate(), headers)).toEqual(user)
})

test('an extra of a hostile name is only that', () => {
  const extra = Object.fromEntries([['__proto__', ['x']]])
  const user = proxy().callerOf(certificate(), raw({ username: 'a', groups: [], extra }))
  expect(Object.entries(user?.extra ?? {})).toEqual([['__proto__', ['x']]])
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})

test.each([
  ['of another authority', certificate(OTHER)],
  ['without the group', certificate(OWN, ['system:masters'])],
  ['of a server port', certificate(OWN, [MEMBERS], 'server')],
])('a certificate %s names nobody', (_, wrong) => {
  expect(proxy().callerOf(wrong, raw(ANN))).toBeUndefined()
})

test('a certificate that has ended names nobody', () => {
  expect(proxy(NOW + 2000).callerOf(certificate(), raw(ANN))).toBeUndefined()
})

test.each([
  ['no name', ['x-remote-group', 'system:masters']],
  ['an empty name', ['X-Remote-User', '']],
  ['two names', ['X-Remote-User', 'a', 'x-remote-user', 'b']],
  ['a broken name', ['X-Remote-User', '%zz']],
])('%s is refused', (_, headers) => {
  expect(() => proxy().callerOf(certificate(), headers)).toThrow('Unauthorized')
})

test('a request without such headers is of the server itself', () => {
  expect(proxy().callerOf(certificate(), ['accept', '*/*'])).toBeUndefined()
})
