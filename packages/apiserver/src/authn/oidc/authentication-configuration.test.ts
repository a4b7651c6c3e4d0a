import { makeAuthority } from '@homeostat/pki'
import { expect, it } from 'vitest'
import { issuerOfFlags, readAuthenticationConfiguration } from './authentication-configuration.ts'

const { certificate } = makeAuthority(Date.UTC(2026, 0, 1))
const issuer = { url: 'https://issuer.example', audiences: ['homeostat'] }
const claimMappings = { username: { claim: 'sub', prefix: 'oidc:' } }
const jwt = { issuer, claimMappings }
const document = (...jwts: object[]) => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'AuthenticationConfiguration',
  jwt: jwts,
})

it('an issuer with everything is read', () => {
  const whole = {
    issuer: {
      ...issuer,
      discoveryURL: 'https://inside.example/.well-known/openid-configuration',
      certificateAuthority: certificate,
      audiences: ['a', 'b'],
      audienceMatchPolicy: 'MatchAny',
    },
    claimMappings: { ...claimMappings, groups: { claim: 'roles', prefix: '' }, uid: { claim: 'oid' } },
    claimValidationRules: [{ claim: 'tenant', requiredValue: 'x' }],
  }
  expect(readAuthenticationConfiguration(document(whole))).toEqual({
    anonymous: undefined,
    issuers: [
      {
        url: 'https://issuer.example',
        discoveryUrl: 'https://inside.example/.well-known/openid-configuration',
        certificateAuthority: certificate,
        audiences: ['a', 'b'],
        username: { claim: 'sub', prefix: 'oidc:' },
        groups: { claim: 'roles', prefix: '' },
        uid: 'oid',
        requiredClaims: new Map([['tenant', 'x']]),
      },
    ],
  })
})

it('anonymous requests can be let in nowhere, anywhere, or at some paths', () => {
  const read = (anonymous: object) => readAuthenticationConfiguration({ ...document(), anonymous }).anonymous
  expect(read({ enabled: true })).toBe('anywhere')
  expect(read({ enabled: false })).toEqual({ paths: new Set(), below: [] })
  expect(read({ enabled: true, conditions: [{ path: '/livez' }] })).toEqual({ paths: new Set(['/livez']), below: [] })
  expect(() => read({ enabled: false, conditions: [{ path: '/livez' }] })).toThrow('anonymous.conditions need enabled')
})

const mapped = (more: object) => document({ ...jwt, claimMappings: { ...claimMappings, ...more } })
const issued = (more: object) => document({ ...jwt, issuer: { ...issuer, ...more } })

it.each<[unknown, string]>([
  [[], 'the file must hold an object'],
  [{ ...document(), apiVersion: 'v1' }, 'apiVersion must be one of'],
  [{ ...document(), kind: 'Config' }, 'kind must be AuthenticationConfiguration'],
  [{ ...document(), jwts: [] }, 'jwts is not a known field'],
  [issued({ url: 'http://issuer.example' }), 'jwt[0].issuer.url must be an https URL'],
  [issued({ url: 'https://me:pw@issuer.example' }), 'jwt[0].issuer.url must not hold a user'],
  [issued({ url: 'https://issuer.example?x' }), 'neither a query nor a fragment'],
  [issued({ url: 'https://kubernetes.default.svc.cluster.local' }), "this server's own issuer"],
  [issued({ discoveryURL: 'https://issuer.example/' }), 'must be another one than url'],
  [issued({ certificateAuthority: 'x' }), 'must hold a certificate in PEM'],
  [issued({ audiences: [] }), 'jwt[0].issuer.audiences must name at least one'],
  [issued({ audiences: ['a', 'b'] }), 'audienceMatchPolicy must be MatchAny when'],
  [issued({ audienceMatchPolicy: 'All' }), 'audienceMatchPolicy must be MatchAny'],
  [issued({ egressSelectorType: 'cluster' }), 'egressSelectorType is not supported'],
  [issued({ audience: 'a' }), 'jwt[0].issuer.audience is not a known field'],
  [document({ issuer }), 'jwt[0].claimMappings is required'],
  [mapped({ username: { claim: 'sub' } }), 'jwt[0].claimMappings.username.prefix is required'],
  [mapped({ username: { expression: 'claims.sub' } }), 'username.expression is in CEL'],
  [mapped({ extra: [{ key: 'a.io/b', valueExpression: 'claims.x' }] }), 'extra[0].valueExpression is in CEL'],
  [document({ ...jwt, userValidationRules: [{ expression: 'true' }] }), 'userValidationRules[0].expression is in CEL'],
  [
    document({ ...jwt, claimValidationRules: [{ expression: 'true' }] }),
    'claimValidationRules[0].expression is in CEL',
  ],
  [document(jwt, jwt), 'stands there twice'],
])('%j is refused', (value, message) => {
  expect(() => readAuthenticationConfiguration(value)).toThrow(message)
})

it('the flags have the prefixes of kube-apiserver', () => {
  const flags = { issuerUrl: 'https://issuer.example', clientId: 'me' }
  const prefix = (more: object) => issuerOfFlags({ ...flags, ...more }).username
  expect(prefix({})).toEqual({ claim: 'sub', prefix: 'https://issuer.example#' })
  expect(prefix({ usernameClaim: 'email' })).toEqual({ claim: 'email', prefix: '' })
  expect(prefix({ usernamePrefix: '-' })).toEqual({ claim: 'sub', prefix: '' })
  expect(prefix({ usernamePrefix: 'o:' })).toEqual({ claim: 'sub', prefix: 'o:' })
  expect(issuerOfFlags({ ...flags, groupsClaim: 'groups' }).groups).toEqual({ claim: 'groups', prefix: '' })
  expect(() => issuerOfFlags({ ...flags, issuerUrl: 'http://x' })).toThrow('oidc.issuer.url must be an https URL')
})
