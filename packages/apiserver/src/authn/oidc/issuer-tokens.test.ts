import { createHmac, type KeyObject } from 'node:crypto'
import { silentLog } from '@homeostat/base'
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { expect, it } from 'vitest'
import { startIssuer, type TestIssuer } from './issuer.fixture.ts'
import { IssuerTokens } from './issuer-tokens.ts'
import type { JwtIssuer } from './jwt-issuer.ts'

const START = Date.UTC(2026, 0, 31, 12)
const HERE = ['here']

async function setUp(more: Partial<JwtIssuer> = {}) {
  const issuer = await startIssuer(START)
  const state = { now: START }
  const warnings: object[] = []
  const settings: JwtIssuer = {
    url: issuer.url,
    certificateAuthority: issuer.ca,
    audiences: ['homeostat'],
    username: { claim: 'sub', prefix: 'oidc:' },
    requiredClaims: new Map(),
    ...more,
  }
  const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) }
  const parts = { audiences: HERE, now: () => state.now, log }
  const tokens = new IssuerTokens([settings], parts)
  const names = async (token: string) => {
    const verdict = await tokens.recognise(token, HERE)
    return typeof verdict === 'object' ? verdict.user.username : verdict
  }
  return { issuer, state, warnings, tokens, settings, parts, names }
}

it('a token of the issuer stands for its user, at once from the second time on', async () => {
  const { issuer, tokens } = await setUp()
  const token = await issuer.sign({ jti: 'j-1' })
  const user = {
    username: 'oidc:ada',
    groups: ['system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j-1'] },
  }
  const first = tokens.recognise(token, HERE)
  expect(first).toBeInstanceOf(Promise)
  expect(await first).toEqual({ user, audiences: HERE })
  expect(tokens.recognise(token, HERE)).toEqual({ user, audiences: HERE })
  expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
})

it('a token that is remembered ends on the second all the same', async () => {
  const { issuer, state, tokens } = await setUp()
  const token = await issuer.sign({})
  await tokens.recognise(token, HERE)
  state.now = START + 3_599_999
  expect(tokens.recognise(token, HERE)).toBeTypeOf('object')
  state.now = START + 3_600_000
  expect(tokens.recognise(token, HERE)).toBe('oidc: the token has expired')
})

it('a token of nobody known belongs to another authenticator, and is not asked about', async () => {
  const { issuer, tokens } = await setUp()
  for (const token of ['x', 'a.b.c', await issuer.sign({ iss: 'https://elsewhere' }), await issuer.sign({ iss: 1 })])
    expect(tokens.recognise(token, HERE)).toBeUndefined()
  expect(issuer.requests).toEqual([])
})

it.each<[string, (issuer: TestIssuer) => Promise<string>, string]>([
  ['expired', (issuer) => issuer.sign({ exp: START / 1000 }), 'expired'],
  ['without an end', (issuer) => issuer.sign({ exp: undefined }), 'expired'],
  ['with an end that is no number', (issuer) => issuer.sign({ exp: '9999999999' as unknown }), 'expired'],
  ['not valid yet', (issuer) => issuer.sign({ nbf: START / 1000 + 61 }), 'not valid yet'],
  ['for another audience', (issuer) => issuer.sign({ aud: ['vault'] }), 'audience'],
  ['without an audience', (issuer) => issuer.sign({ aud: undefined }), 'audience'],
  ['without a user', (issuer) => issuer.sign({ sub: undefined }), 'claim sub'],
  ['with a user that is no text', (issuer) => issuer.sign({ sub: ['ada'] as unknown }), 'claim sub'],
  ['of an invented key', (issuer) => issuer.sign({}, { kid: 'none' }), 'no key that fits'],
  ['of a key named by a path', (issuer) => issuer.sign({}, { kid: '../../../dev/null' }), 'no key that fits'],
  [
    'with a key of its own in the header',
    async (issuer) => {
      const { privateKey, jwk } = await issuer.newKey('mine')
      return issuer.sign({}, { kid: 'mine', jwk, jku: `${issuer.url}/mine`, x5u: `${issuer.url}/mine` }, privateKey)
    },
    'no key that fits',
  ],
  [
    'signed by another under the name of the key',
    async (issuer) => issuer.sign({}, {}, (await issuer.newKey('one')).privateKey),
    'signature verification failed',
  ],
  [
    'without a signature',
    async (issuer) => new UnsecuredJWT({ iss: issuer.url, sub: 'ada', aud: 'homeostat', exp: 9e9 }).encode(),
    'oidc: ',
  ],
  [
    'signed by the public key as a secret',
    async (issuer) => {
      const [, payload] = (await issuer.sign({})).split('.')
      const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one' })).toString('base64url')
      const pem = await exportSPKI((await importJWK(issuer.answer.keys[0] ?? {}, 'ES256')) as unknown as KeyObject)
      return `${header}.${payload}.${createHmac('sha256', pem).update(`${header}.${payload}`).digest('base64url')}`
    },
    '"alg"',
  ],
])('a token %s is refused', async (_, make, message) => {
  const { issuer, names } = await setUp()
  expect(await names(await make(issuer))).toContain(message)
})

it('a key for secrets among the keys of the issuer verifies nothing', async () => {
  const { issuer, names } = await setUp()
  const secret = Buffer.from('a secret that everybody can read in the keys')
  issuer.answer.keys.push({ kty: 'oct', k: secret.toString('base64url'), kid: 'shared', alg: 'HS256' })
  const token = await new SignJWT({ iss: issuer.url, sub: 'ada', aud: 'homeostat', exp: 9e9 })
    .setProtectedHeader({ alg: 'HS256', kid: 'shared' })
    .sign(secret)
  expect(await names(token)).toContain('"alg"')
})

it('RSA keys are good too', async () => {
  const { issuer, names } = await setUp()
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  issuer.answer.keys.push({ ...(await exportJWK(publicKey)), kid: 'rsa' })
  expect(await names(await issuer.sign({}, { alg: 'RS256', kid: 'rsa' }, privateKey))).toBe('oidc:ada')
})

it('a new key is found by its name; invented names cause no more requests', async () => {
  const { issuer, state, names } = await setUp()
  expect(await names(await issuer.sign({}))).toBe('oidc:ada')
  const two = await issuer.newKey('two')
  const signed = await issuer.sign({}, { kid: 'two' }, two.privateKey)
  issuer.answer.keys = [two.jwk]
  for (let at = 0; at < 5; at++) expect(await names(await issuer.sign({}, { kid: `x${at}` }))).toContain('no key')
  expect(issuer.requests).toHaveLength(2)
  state.now += 10_000
  expect(await names(signed)).toBe('oidc:ada')
  expect(issuer.requests).toHaveLength(4)
})

it('a key that the issuer withdraws is no longer good for tokens that were verified with it', async () => {
  const { issuer, state, tokens, names } = await setUp()
  const token = await issuer.sign({ exp: START / 1000 + 7200 })
  expect(await names(token)).toBe('oidc:ada')
  issuer.answer.keys = [(await issuer.newKey('two')).jwk]
  state.now += 600_000
  expect(tokens.recognise(token, HERE)).toBeTypeOf('object')
  await expect.poll(() => names(token)).toContain('no key that fits')
})

it('while the issuer fails its keys stay, and without keys every token is refused until it is tried again', async () => {
  const { issuer, state, warnings, names } = await setUp()
  issuer.answer.status = 500
  const token = await issuer.sign({})
  for (let at = 0; at < 3; at++) expect(await names(token)).toContain('could not be read')
  expect(issuer.requests).toHaveLength(1)
  expect(warnings).toEqual([{ issuer: issuer.url, reason: expect.stringContaining('status 500') }])
  issuer.answer.status = 200
  state.now += 10_000
  expect(await names(token)).toBe('oidc:ada')
  issuer.answer.status = 302
  state.now += 600_000
  expect(await names(await issuer.sign({ sub: 'bob' }))).toBe('oidc:bob')
})

it.each<[string, Partial<TestIssuer['answer']>, string]>([
  ['another issuer', { discovery: { issuer: 'https://evil' } }, 'describes the issuer'],
  ['no JSON', { raw: '<html>' }, 'JSON'],
  ['too much', { raw: 'x'.repeat((1 << 20) + 1) }, 'longer than'],
  ['a redirect', { status: 302 }, 'status 302'],
])('discovery with %s is refused', async (_, change, reason) => {
  const { issuer, warnings, names } = await setUp()
  Object.assign(issuer.answer, change)
  expect(await names(await issuer.sign({}))).toContain('could not be read')
  expect(warnings).toEqual([{ issuer: issuer.url, reason: expect.stringContaining(reason) }])
})

it.each([
  ['http://127.0.0.1/keys', 'not an https URL'],
  ['file:///etc/passwd', 'not an https URL'],
  [undefined, 'names no jwks_uri'],
])('keys at %s are refused', async (keysUrl, reason) => {
  const { issuer, warnings, names } = await setUp()
  issuer.answer.discovery.jwks_uri = keysUrl
  expect(await names(await issuer.sign({}))).toContain('could not be read')
  expect(warnings).toEqual([{ issuer: issuer.url, reason: expect.stringContaining(reason) }])
})

it('an issuer whose certificate another authority issued is not believed', async () => {
  const { issuer, warnings, names } = await setUp({ certificateAuthority: (await startIssuer(START)).ca })
  expect(await names(await issuer.sign({}))).toContain('could not be read')
  expect(warnings).toHaveLength(1)
  expect(issuer.requests).toEqual([])
})

it('other settings for the same issuer keep its keys, and forget what was verified', async () => {
  const { issuer, tokens, settings, parts } = await setUp()
  const token = await issuer.sign({})
  await tokens.recognise(token, HERE)
  const changed = new IssuerTokens([{ ...settings, username: { claim: 'sub', prefix: 'new:' } }], parts, tokens)
  expect(await changed.recognise(token, HERE)).toMatchObject({ user: { username: 'new:ada' } })
  expect(issuer.requests).toHaveLength(2)
  const others = new IssuerTokens([{ ...settings, audiences: ['vault'] }], parts, changed)
  expect(await others.recognise(token, HERE)).toContain('audience')
})

it('a review for another audience is refused', async () => {
  const { issuer, tokens } = await setUp()
  expect(await tokens.recognise(await issuer.sign({}), ['vault'])).toBe('oidc: tokens are valid for this server alone')
})
