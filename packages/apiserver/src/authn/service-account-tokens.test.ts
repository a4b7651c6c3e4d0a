import type { KubeObject } from '@homeostat/meta'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeTokenKey } from '../pki/pki.ts'
import { ISSUER, ServiceAccountTokens, type TokenTerms } from './service-account-tokens.ts'
import { TokenKeys } from './token.ts'
import type { Recognised } from './token-authenticator.ts'

const START = Date.UTC(2026, 0, 31, 12)
let privateKeys = [makeTokenKey()]
const keys = new TokenKeys(() => privateKeys)

let now = START
let objects: Record<string, KubeObject>
let tokens: ServiceAccountTokens

function object(kind: string, name: string, uid: string, namespace?: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, uid, ...(namespace !== undefined && { namespace }) } }
}

const account = object('ServiceAccount', 'robot', 'u-1', 'lab')
const terms: TokenTerms = { account, audiences: [ISSUER], seconds: 600 }
const userOf = (token: string) => (tokens.recognise(token) as Recognised).user

beforeEach(() => {
  now = START
  objects = {
    'serviceaccounts/lab/robot': account,
    'secrets/lab/s': object('Secret', 's', 's-1', 'lab'),
    'pods/lab/p': object('Pod', 'p', 'p-1', 'lab'),
    'nodes//n': object('Node', 'n', 'n-1'),
  }
  tokens = new ServiceAccountTokens({
    keys,
    find: (resource, namespace = '', name) => objects[`${resource}/${namespace}/${name}`],
    now: () => now,
  })
})

describe('a token of a service account', () => {
  it('stands for the account', () => {
    expect(userOf(tokens.issue(terms))).toMatchObject({
      username: 'system:serviceaccount:lab:robot',
      uid: 'u-1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
    })
  })

  it('has the claims that programs read', () => {
    const second = START / 1000
    expect(keys.verify(tokens.issue({ ...terms, pod: { name: 'p', uid: 'p-1' }, warnAfterSeconds: 5 }))).toEqual({
      aud: [ISSUER],
      exp: second + 600,
      iat: second,
      nbf: second,
      iss: ISSUER,
      jti: expect.any(String),
      sub: 'system:serviceaccount:lab:robot',
      'kubernetes.io': {
        namespace: 'lab',
        serviceaccount: { name: 'robot', uid: 'u-1' },
        pod: { name: 'p', uid: 'p-1' },
        warnafter: second + 5,
      },
    })
  })

  it('ends on the second', () => {
    const token = tokens.issue(terms)
    now = START + 599_999
    expect(tokens.recognise(token)).toBeTypeOf('object')
    now = START + 600_000
    expect(tokens.recognise(token)).toBe('service account token has expired')
  })

  it('is not good long before it was issued, when a clock was set back', () => {
    const token = tokens.issue(terms)
    now = START - 59_000
    expect(tokens.recognise(token)).toBeTypeOf('object')
    now = START - 61_000
    expect(tokens.recognise(token)).toBe('service account token is not valid yet')
  })

  it('is good only for its audiences', () => {
    const token = tokens.issue({ ...terms, audiences: ['vault', 'other'] })
    expect(tokens.recognise(token)).toBe(
      `token audiences ["vault" "other"] is invalid for the target audiences ["${ISSUER}"]`,
    )
    expect(tokens.recognise(token, ['x', 'vault'])).toMatchObject({ audiences: ['vault'] })
  })

  it('dies with the account, also when another takes its name', () => {
    const token = tokens.issue(terms)
    objects['serviceaccounts/lab/robot'] = object('ServiceAccount', 'robot', 'u-2', 'lab')
    expect(tokens.recognise(token)).toBe('service account UID (u-2) does not match claim (u-1)')
    delete objects['serviceaccounts/lab/robot']
    expect(tokens.recognise(token)).toBe('serviceaccounts "robot" not found')
  })

  it.each([
    ['secret', 'secrets/lab/s', { name: 's', uid: 's-1' }],
    ['pod', 'pods/lab/p', { name: 'p', uid: 'p-1' }],
    ['node', 'nodes//n', { name: 'n', uid: 'n-1' }],
  ])('dies with the %s it is bound to', (word, place, reference) => {
    const token = tokens.issue({ ...terms, [word]: reference })
    expect(tokens.recognise(token)).toBeTypeOf('object')
    const bound = objects[place] as KubeObject
    objects[place] = { ...bound, metadata: { ...bound.metadata, uid: 'new' } }
    expect(tokens.recognise(token)).toBe(
      `${word} UID (new) does not match service account ${word} ref claim (${reference.uid})`,
    )
    objects[place] = { ...bound, metadata: { ...bound.metadata, deletionTimestamp: '2026-01-31T11:58:00Z' } }
    expect(tokens.recognise(token)).toBe('service account token has been invalidated')
    delete objects[place]
    expect(tokens.recognise(token)).toBe('service account token has been invalidated')
  })

  it('names its pod and the node of the pod, which may be gone', () => {
    const token = tokens.issue({ ...terms, pod: { name: 'p', uid: 'p-1' }, node: { name: 'gone' } })
    expect(userOf(token).extra).toMatchObject({
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['p-1'],
      'authentication.kubernetes.io/node-name': ['gone'],
    })
    expect(userOf(token).extra).not.toHaveProperty(['authentication.kubernetes.io/node-uid'])
  })

  it('is checked again every time, though its signature is not', () => {
    let checks = 0
    const counting = {
      generation: 1,
      verify(token: string) {
        checks++
        return keys.verify(token)
      },
    } as TokenKeys
    const counted = new ServiceAccountTokens({ keys: counting, find: () => account, now: () => now })
    const token = tokens.issue(terms)
    for (let i = 0; i < 3; i++) expect(counted.recognise(token)).toBeTypeOf('object')
    expect(checks).toBe(1)
    now = START + 600_000
    expect(counted.recognise(token)).toBe('service account token has expired')
  })

  it.each([{}, { iss: 'https://example.com' }, { iss: ISSUER }, { iss: ISSUER, aud: ISSUER, exp: '9999999999' }])(
    'is not what merely has our signature, as %o',
    (claims) => {
      expect(tokens.recognise(keys.sign(claims))).not.toBeTypeOf('object')
    },
  )

  it('needs an account', () => {
    const now = START / 1000
    const claims = { iss: ISSUER, aud: [ISSUER], exp: now + 9, nbf: now, sub: 'system:admin' }
    expect(tokens.recognise(keys.sign(claims))).toBe('serviceaccounts "" not found')
  })

  it('is good after a rotation until its key is dropped, and new ones have the new key', () => {
    const [first] = privateKeys
    const old = tokens.issue(terms)
    expect(tokens.recognise(old)).toBeTypeOf('object')
    privateKeys = [makeTokenKey(), ...privateKeys]
    const young = tokens.issue(terms)
    expect(young.split('.')[0]).not.toBe(old.split('.')[0])
    expect([tokens.recognise(old), tokens.recognise(young)].map((verdict) => typeof verdict)).toEqual([
      'object',
      'object',
    ])
    expect(keys.jwks().map(({ kid }) => kid)).toHaveLength(2)
    privateKeys = privateKeys.filter((key) => key !== first)
    expect(tokens.recognise(old)).toBeUndefined()
    expect(tokens.recognise(young)).toBeTypeOf('object')
  })

  it('of one key is not good under the name of another', () => {
    privateKeys = [makeTokenKey(), makeTokenKey()]
    const token = tokens.issue(terms)
    privateKeys = [...privateKeys].reverse()
    const [header] = tokens.issue(terms).split('.')
    expect(tokens.recognise(token)).toBeTypeOf('object')
    expect(tokens.recognise([header, ...token.split('.').slice(1)].join('.'))).toBeUndefined()
  })
})
