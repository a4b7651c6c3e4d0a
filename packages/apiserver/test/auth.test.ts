// Authentication and authorization over HTTP: tokens, impersonation, permissions and reviews.

import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePki, readPki } from '../src/keys.ts'
import type { Body } from './body.ts'
import { serve, serveForTest, type TestServer } from './server.ts'

let server: TestServer
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const AUTHENTICATION = 'authentication.k8s.io/v1'
const AUTHORIZATION = 'authorization.k8s.io/v1'
const WHO = `/apis/${AUTHENTICATION}/selfsubjectreviews`

beforeAll(async () => {
  server = await serve()
  for (const name of ['robot', 'doomed'])
    await server.post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
})
afterAll(() => server.close())

const request = (spec?: object) => ({ apiVersion: AUTHENTICATION, kind: 'TokenRequest', ...(spec && { spec }) })
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const as = (user: string, more: Record<string, string> = {}) => ({ headers: { 'impersonate-user': user, ...more } })

async function tokenOf(account: string, spec?: object): Promise<string> {
  const { status, text, body } = await server.post(`${ACCOUNTS}/${account}/token`, request(spec))
  if (status !== 201) throw new Error(text)
  return (body.status as { token: string }).token
}

async function whoIs(sent: { headers: Record<string, string> }): Promise<unknown> {
  const { body } = await server.post(WHO, { apiVersion: AUTHENTICATION, kind: 'SelfSubjectReview' }, sent)
  return (body.status as { userInfo: unknown }).userInfo
}

describe('authentication', () => {
  it('takes whoever says nothing for the administrator', async () => {
    expect(await whoIs({ headers: {} })).toEqual({
      username: 'system:admin',
      groups: ['system:masters', 'system:authenticated'],
    })
  })

  it('knows a service account by its token', async () => {
    expect(await whoIs(bearer(await tokenOf('robot')))).toMatchObject({
      username: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
    })
  })

  it.each(['Bearer', 'Bearer x', 'Bearer a.b.c', 'Basic YTpi', 'Digest x', 'nonsense', 'Bearer a b'])(
    'refuses "%s", also for what everybody may read',
    async (authorization) => {
      for (const path of ['/api/v1/namespaces', '/version', '/nowhere']) {
        const { status, body } = await server.get(path, { headers: { authorization } })
        expect(status).toBe(401)
        expect(body).toEqual({
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Unauthorized',
          reason: 'Unauthorized',
          code: 401,
        })
      }
    },
  )

  it('refuses the token of another server', async () => {
    const other = await serveForTest()
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } }
    await other.post(ACCOUNTS, account)
    const { body } = await other.post(`${ACCOUNTS}/robot/token`, request())
    const { token } = body.status as { token: string }
    expect((await other.get('/version', bearer(token))).status).toBe(200)
    expect((await server.get('/version', bearer(token))).status).toBe(401)
  })

  it('refuses a token for somebody else', async () => {
    const token = await tokenOf('robot', { audiences: ['vault'] })
    expect((await server.get('/version', bearer(token))).status).toBe(401)
  })

  it('forgets a token with its account, and does not take one of the same name for it', async () => {
    const token = await tokenOf('doomed')
    expect((await server.get('/version', bearer(token))).status).toBe(200)
    await server.delete(`${ACCOUNTS}/doomed`)
    expect((await server.get('/version', bearer(token))).status).toBe(401)
    await server.post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'doomed' } })
    expect((await server.get('/version', bearer(token))).status).toBe(401)
  })

  it('forgets a token with the object it is bound to', async () => {
    const secrets = '/api/v1/namespaces/default/secrets'
    await server.post(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'leash' } })
    const token = await tokenOf('robot', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'leash' } })
    expect((await server.get('/version', bearer(token))).status).toBe(200)
    await server.delete(`${secrets}/leash`)
    expect((await server.get('/version', bearer(token))).status).toBe(401)
  })
})

describe('impersonation', () => {
  it('makes a request somebody else’s', async () => {
    const headers = { 'impersonate-group': 'dev', 'impersonate-uid': '7', 'impersonate-extra-a%2fb': 'x' }
    expect(await whoIs(as('jane', headers))).toEqual({
      username: 'jane',
      uid: '7',
      groups: ['dev', 'system:authenticated'],
      extra: { 'a/b': ['x'] },
    })
  })

  it('is not for everybody', async () => {
    const token = await tokenOf('robot')
    const { status, body } = await server.get('/version', {
      headers: { ...bearer(token).headers, 'impersonate-user': 'system:admin', 'impersonate-group': 'system:masters' },
    })
    expect(status).toBe(403)
    expect(body.message).toBe(
      'users "system:admin" is forbidden: User "system:serviceaccount:default:robot" cannot impersonate resource "users" in API group "" at the cluster scope',
    )
  })

  it('needs a user', async () => {
    const { status, body } = await server.get('/version', { headers: { 'impersonate-group': 'system:masters' } })
    expect(status).toBe(400)
    expect(body.message).toBe('requested [{Group  system:masters    }] without impersonating a user')
  })

  it('can be done by a master who is one by impersonation only for the one request', async () => {
    expect((await server.get('/api/v1/namespaces', as('jane', { 'impersonate-group': 'system:masters' }))).status).toBe(
      200,
    )
    expect((await server.get('/api/v1/namespaces', as('jane'))).status).toBe(403)
  })
})

describe('permission', () => {
  it.each([
    [
      'GET',
      '/api/v1/configmaps',
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" at the cluster scope',
      { kind: 'configmaps' },
    ],
    [
      'GET',
      '/api/v1/namespaces/d/configmaps?watch=1',
      'configmaps is forbidden: User "jane" cannot watch resource "configmaps" in API group "" in the namespace "d"',
      { kind: 'configmaps' },
    ],
    [
      'GET',
      '/apis/no.such/v1/namespaces/d/things/x/status',
      'things.no.such "x" is forbidden: User "jane" cannot get resource "things/status" in API group "no.such" in the namespace "d"',
      { name: 'x', group: 'no.such', kind: 'things' },
    ],
    [
      'DELETE',
      '/api/v1/namespaces/d',
      'namespaces "d" is forbidden: User "jane" cannot delete resource "namespaces" in API group "" in the namespace "d"',
      { name: 'd', kind: 'namespaces' },
    ],
    ['GET', '/metrics', 'forbidden: User "jane" cannot get path "/metrics"', {}],
    ['GET', '/nowhere', 'forbidden: User "jane" cannot get path "/nowhere"', {}],
    ['POST', '/version', 'forbidden: User "jane" cannot post path "/version"', {}],
  ])('is missing for %s %s, whether there is such a thing or not', async (method, path, message, details) => {
    const { status, body } = await server.send(method, path, as('jane'))
    expect(status).toBe(403)
    expect(body).toMatchObject({ reason: 'Forbidden', message, details })
  })

  it.each(['/api', '/apis', '/api/v1', '/openapi/v3', '/version', '/healthz', '/livez', '/readyz'])(
    'is there for everybody to read %s',
    async (path) => {
      expect((await server.get(path, as('jane'))).status).toBe(200)
    },
  )

  it('is there for service accounts to learn how tokens are checked', async () => {
    const token = await tokenOf('robot')
    const configuration = (await server.get('/.well-known/openid-configuration', bearer(token))).body
    expect(configuration).toMatchObject({ jwks_uri: `${server.url}/openid/v1/jwks` })
    const { headers, text } = await server.get('/openid/v1/jwks', bearer(token))
    expect(headers.get('content-type')).toBe('application/jwk-set+json')
    const { keys } = JSON.parse(text) as { keys: Record<string, string>[] }
    const [header = ''] = token.split('.')
    expect(keys).toMatchObject([
      { kty: 'EC', alg: 'ES256', kid: JSON.parse(Buffer.from(header, 'base64url').toString()).kid },
    ])
    expect(keys[0]).not.toHaveProperty('d')
    expect((await server.get('/openid/v1/jwks', as('jane'))).status).toBe(403)
  })
})

describe('a token request', () => {
  it('answers with a token for as long as was asked', async () => {
    const before = Date.now()
    const { status, body } = await server.post(`${ACCOUNTS}/robot/token`, request({ expirationSeconds: 600 }))
    expect(status).toBe(201)
    expect(body).toMatchObject({ kind: 'TokenRequest', apiVersion: AUTHENTICATION, metadata: { name: 'robot' } })
    const { expirationTimestamp } = body.status as { expirationTimestamp: string }
    expect(Date.parse(expirationTimestamp) - before).toBeGreaterThan(598_000)
    expect(Date.parse(expirationTimestamp) - before).toBeLessThan(605_000)
  })

  it.each<[object, number, string]>([
    [{ expirationSeconds: 599 }, 422, 'may not specify a duration less than 10 minutes'],
    [{ expirationSeconds: 2 ** 33 }, 422, 'may not specify a duration larger than 2^32 seconds'],
    [{ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'nix' } }, 404, 'secrets "nix" not found'],
    [
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
      400,
      'cannot bind token to object of type',
    ],
  ])('is refused for %o', async (spec, code, text) => {
    const { status, body } = await server.post(`${ACCOUNTS}/robot/token`, request(spec))
    expect(status).toBe(code)
    expect(body.message).toContain(text)
  })

  it('may leave out what the URL says', async () => {
    expect((await server.post(`${ACCOUNTS}/robot/token`, {})).body).toMatchObject({ kind: 'TokenRequest' })
  })

  it('needs an account, and a namespace', async () => {
    expect((await server.post(`${ACCOUNTS}/nobody/token`, request())).body.message).toBe(
      'serviceaccounts "nobody" not found',
    )
    expect((await server.post('/api/v1/namespaces/no/serviceaccounts/x/token', request())).body.message).toBe(
      'namespaces "no" not found',
    )
    expect((await server.get(`${ACCOUNTS}/robot/token`)).status).toBe(405)
  })
})

describe('a review', () => {
  const ask = (path: string, kind: string, spec: object, sent = {}) =>
    server.post(`/apis/${AUTHORIZATION}/${path}`, { apiVersion: AUTHORIZATION, kind, spec }, sent)
  const attributes = { verb: 'list', resource: 'secrets', namespace: 'default' }
  const statusOf = ({ body }: { body: Body }) => body.status

  it('says what one may do oneself', async () => {
    const own = (sent = {}) =>
      ask('selfsubjectaccessreviews', 'SelfSubjectAccessReview', { resourceAttributes: attributes }, sent)
    expect(statusOf(await own())).toEqual({ allowed: true })
    expect(statusOf(await own(as('jane')))).toEqual({ allowed: false })
  })

  it('says what another may do, and why', async () => {
    const other = (spec: object) => ask('subjectaccessreviews', 'SubjectAccessReview', spec)
    expect(statusOf(await other({ user: 'jane', resourceAttributes: attributes }))).toEqual({ allowed: false })
    expect(statusOf(await other({ groups: ['system:masters'], resourceAttributes: attributes }))).toEqual({
      allowed: true,
    })
    expect(
      statusOf(
        await other({
          user: 'u',
          groups: ['system:authenticated'],
          nonResourceAttributes: { path: '/api/v1', verb: 'get' },
        }),
      ),
    ).toEqual({
      allowed: true,
      reason:
        'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    })
  })

  it('of a namespace asks about that namespace alone', async () => {
    const local = (spec: object) =>
      ask('namespaces/default/localsubjectaccessreviews', 'LocalSubjectAccessReview', { user: 'u', ...spec })
    const good = await local({ resourceAttributes: attributes })
    expect(good.body).toMatchObject({ metadata: { namespace: 'default' }, status: { allowed: false } })
    const elsewhere = await local({ resourceAttributes: { ...attributes, namespace: 'other' } })
    expect(elsewhere.status).toBe(422)
    expect(elsewhere.body.message).toContain('spec.resourceAttributes.namespace: Invalid value: "other": must match')
  })

  it('without a question is invalid', async () => {
    const { status, body } = await ask('subjectaccessreviews', 'SubjectAccessReview', {})
    expect(status).toBe(422)
    expect(body.details.causes.map(({ field }) => field)).toEqual(['spec.resourceAttributes', 'spec.user'])
  })

  it('lists what one may do', async () => {
    const rules = (sent = {}) =>
      ask('selfsubjectrulesreviews', 'SelfSubjectRulesReview', { namespace: 'default' }, sent)
    expect(statusOf(await rules())).toMatchObject({
      resourceRules: expect.arrayContaining([{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]),
      nonResourceRules: expect.arrayContaining([{ verbs: ['*'], nonResourceURLs: ['*'] }]),
      incomplete: false,
    })
    expect(JSON.stringify(statusOf(await rules(as('jane'))))).not.toContain('"*"')
  })

  it('tells whose a token is', async () => {
    const review = async (token: string, audiences?: string[]) => {
      const body = { apiVersion: AUTHENTICATION, kind: 'TokenReview', spec: { token, ...(audiences && { audiences }) } }
      return (await server.post(`/apis/${AUTHENTICATION}/tokenreviews`, body)).body.status
    }
    const token = await tokenOf('robot', { audiences: ['vault'] })
    expect(await review(token, ['vault', 'x'])).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
      user: { username: 'system:serviceaccount:default:robot' },
    })
    expect(await review(token)).toMatchObject({ user: {}, error: expect.stringContaining('token audiences ["vault"]') })
    expect(await review('nonsense')).toEqual({ user: {}, error: 'invalid bearer token' })
  })

  it('is not stored, and can only be asked', async () => {
    const path = `/apis/${AUTHORIZATION}/subjectaccessreviews`
    expect((await server.get(path)).status).toBe(405)
    expect((await server.get(`/apis/${AUTHORIZATION}`)).body.resources).toContainEqual(
      expect.objectContaining({ name: 'subjectaccessreviews', verbs: ['create'] }),
    )
  })
})

it('keeps tokens good when it starts anew with the same keys, and only then', async () => {
  const store = new MemoryStore()
  const pki = readPki(await makePki())
  const first = await serveForTest({ store, pki })
  await first.post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
  const { token } = (await first.post(`${ACCOUNTS}/robot/token`, request())).body.status as { token: string }
  const second = await serveForTest({ store, pki })
  expect((await second.get('/version', bearer(token))).status).toBe(200)
  const third = await serveForTest({ store })
  expect((await third.get('/version', bearer(token))).status).toBe(401)
})

it('has no table of a response', async () => {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  const spec = { nonResourceAttributes: { path: '/', verb: 'get' } }
  const asked = { apiVersion: AUTHORIZATION, kind: 'SelfSubjectAccessReview', spec }
  const path = `/apis/${AUTHORIZATION}/selfsubjectaccessreviews`
  expect((await server.post(path, asked, { accept })).status).toBe(406)
})
