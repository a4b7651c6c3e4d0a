// Credentials that a server is configured to accept: static tokens and JWTs of issuers, over HTTP. A setting that is taken away
// ends what is open.

import { ManualClock, silentLog } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { startIssuer } from '../src/authn/oidc/issuer.fixture.ts'
import { type AuthenticationSettings, issuerOfFlags, readTokenFile, startApiServer } from '../src/index.ts'
import { client, leapingRevisions, type TestServer } from './server.ts'

const REVIEWS = '/apis/authentication.k8s.io/v1'
const MAPS = '/api/v1/namespaces/default/configmaps'
const CHECKED_MS = 5000

async function setUp() {
  const clock = new ManualClock(Date.now())
  const issuer = await startIssuer(clock.now())
  const flags = {
    issuerUrl: issuer.url,
    clientId: 'homeostat',
    certificateAuthority: issuer.ca,
    usernamePrefix: 'oidc:',
  }
  const settings: AuthenticationSettings = {
    staticTokens: readTokenFile('s3cret,bob,u-1,staff'),
    issuers: [issuerOfFlags({ ...flags, groupsClaim: 'groups' })],
  }
  const store = new MemoryStore(leapingRevisions)
  const options = { store, host: '127.0.0.1', port: 0, clock, logger: silentLog }
  const server = await startApiServer({ ...options, authentication: settings })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  const http = client(server.address.port)
  for (const [kind, name] of [
    ['User', 'bob'],
    ['Group', 'readers'],
  ])
    await http.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind, name }],
    })
  return { clock, issuer, settings, server, http }
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const kind = (name: string) => ({ apiVersion: 'authentication.k8s.io/v1', kind: name })

async function whoIs(http: Pick<TestServer, 'post'>, token: string) {
  const { status, body } = await http.post(`${REVIEWS}/selfsubjectreviews`, kind('SelfSubjectReview'), bearer(token))
  return status === 201 ? (body.status as { userInfo: object }).userInfo : status
}

it('whoami and token reviews know users of the file and of issuers', async () => {
  const { issuer, http } = await setUp()
  const bob = { username: 'bob', uid: 'u-1', groups: ['staff', 'system:authenticated'] }
  expect(await whoIs(http, 's3cret')).toEqual(bob)
  const token = await issuer.sign({ groups: ['readers'] })
  const ada = { username: 'oidc:ada', groups: ['readers', 'system:authenticated'] }
  expect(await whoIs(http, token)).toEqual(ada)
  expect(await whoIs(http, await issuer.sign({ aud: 'other' }))).toBe(401)
  expect(await whoIs(http, 's3cret2')).toBe(401)
  const review = async (spec: object) =>
    (await http.post(`${REVIEWS}/tokenreviews`, { ...kind('TokenReview'), spec })).body.status
  expect(await review({ token })).toMatchObject({ authenticated: true, user: ada })
  expect(await review({ token: 's3cret' })).toMatchObject({ authenticated: true, user: bob })
  expect(await review({ token: 's3cret', audiences: ['vault'] })).toMatchObject({ user: {}, error: expect.any(String) })
  expect(await review({ token: await issuer.sign({ exp: 1 }) })).toEqual({
    user: {},
    error: '[invalid bearer token, oidc: the token has expired]',
  })
})

it.each<
  [
    string,
    (world: Awaited<ReturnType<typeof setUp>>) => Promise<string>,
    (world: Awaited<ReturnType<typeof setUp>>) => void,
  ]
>([
  [
    'its token leaves the file',
    async () => 's3cret',
    ({ server, settings }) => server.configureAuthentication({ ...settings, staticTokens: [] }),
  ],
  [
    'its issuer is no longer accepted',
    ({ issuer }) => issuer.sign({ groups: ['readers'] }),
    ({ server, settings }) => server.configureAuthentication({ ...settings, issuers: [] }),
  ],
  [
    'its token of an issuer expires',
    ({ issuer }) => issuer.sign({ groups: ['readers'] }),
    ({ clock }) => clock.advance(3_600_000),
  ],
])('a watch is cut off when %s', async (_, sign, end) => {
  const world = await setUp()
  const token = await sign(world)
  const watch = await world.http.watch(MAPS, bearer(token))
  world.clock.advance(CHECKED_MS)
  await world.http.post(MAPS, { metadata: { name: 'seen' } })
  await watch.until(({ object }) => object.metadata.name === 'seen')
  end(world)
  world.clock.advance(CHECKED_MS)
  await expect(watch.rest()).rejects.toThrow()
  expect((await world.http.get(MAPS, bearer(token))).status).toBe(401)
})
