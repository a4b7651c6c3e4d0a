// Requests that are made to be read in two ways: by the guard in one, by the handler in the other. Each is refused, and nothing is
// written.

import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { AUTHORITY, ask, clientCertificate, serveSecurely } from './secure.ts'
import { serveForTest, type TestServer } from './server.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const GROUP = 'rbac.authorization.k8s.io'
const SECRETS = '/api/v1/namespaces/lab/secrets'
const MAPS = '/api/v1/namespaces/default/configmaps'
const HIDDEN = Buffer.from('the word of another').toString('base64')
const as = (user: string) => ({ headers: { 'impersonate-user': user } })

/** A server with two Secrets, and users with rights in the namespace `lab` alone. */
async function lab(): Promise<TestServer> {
  const server = await serveForTest()
  await server.post('/api/v1/namespaces', { metadata: { name: 'lab' } })
  await server.post(SECRETS, { metadata: { name: 'own' }, data: { key: 'eA==' } })
  await server.post(SECRETS, { metadata: { name: 'other' }, data: { key: HIDDEN } })
  const users = {
    reader: { apiGroups: [''], resources: ['secrets'], resourceNames: ['own'], verbs: ['get', 'list', 'watch'] },
    owner: { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  }
  for (const [name, rule] of Object.entries(users)) {
    await server.post(`${RBAC}/namespaces/lab/roles`, { metadata: { name }, rules: [rule] })
    await server.post(`${RBAC}/namespaces/lab/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: GROUP, kind: 'Role', name },
      subjects: [{ apiGroup: GROUP, kind: 'User', name }],
    })
  }
  return server
}

describe('the right to one name', () => {
  it('shows no other name, whatever the selector says', async () => {
    const server = await lab()
    const own = 'fieldSelector=metadata.name%3Down'
    const other = 'fieldSelector=metadata.name%3Dother'
    expect((await server.get(`${SECRETS}?${own}`, as('reader'))).status).toBe(200)
    for (const [path, status] of [
      [`${SECRETS}?${own}&${other}`, 200],
      [`${SECRETS}?${own},metadata.name%3Dother`, 200],
      [`${SECRETS}?${other}&${own}`, 403],
      [`${SECRETS}?${other},metadata.name%3Down`, 403],
      [`${SECRETS}?fieldSelector=metadata.name!%3Dnone`, 403],
      [`${SECRETS}?fieldSelector=&${own}`, 403],
      [`${SECRETS}?FieldSelector=metadata.name%3Down`, 403],
      [`${SECRETS}?fieldSelector=metadata.name%3Down%20`, 403],
      [`${SECRETS}/own?watch=true&timeoutSeconds=1&${other}`, 200],
      [`${SECRETS}/other?watch=true&timeoutSeconds=1&${own}`, 403],
      [`/api/v1/watch/namespaces/lab/secrets/other?timeoutSeconds=1`, 403],
      [`/api/v1/secrets?${own}`, 403],
      [`${SECRETS}/own/history`, 403],
    ] as const) {
      const answer = await server.get(path, as('reader'))
      expect([path, answer.status]).toEqual([path, status])
      expect(answer.text).not.toContain(HIDDEN)
    }
    expect((await server.delete(`${SECRETS}?${own}`, undefined, as('reader'))).status).toBe(403)
  })
})

it('every right in one namespace gives nothing outside of it, however the path is written', async () => {
  const server = await lab()
  for (const path of [
    '/api/v1/secrets/lab%2Fother',
    '/api/v1/namespaces/lab%2F..%2Fkube-system/secrets',
    '/api/v1/namespaces/lab/..%2F..%2Fsecrets/other',
    '/api/v1/namespaces/lab/secrets/..%2F..%2Fdefault%2Fsecrets',
    '/api/v1/namespaces/lab%00/secrets',
    '/api/v1/namespaces/LAB/secrets',
    '/api/v1/namespaces/lab//secrets',
    '//api/v1/secrets',
    '/api/v1;a=b/secrets',
    '/api%2Fv1/secrets',
    '/apis//v1/secrets',
    '/api/v1/namespaces/lab/nodes',
    '/api/v1/namespaces/lab/namespaces',
    '/api/v1/namespaces/lab/namespaces/kube-system',
    `${RBAC}/namespaces/lab/clusterroles`,
    `${RBAC}/namespaces/lab/clusterrolebindings/cluster-admin`,
    '/apis/apiextensions.k8s.io/v1/namespaces/lab/customresourcedefinitions',
    '/api/v1/namespaces/kube-system/secrets',
    '/metrics',
    '/metrics/',
  ]) {
    const { status, text } = await server.get(path, as('owner'))
    expect([path, status]).toEqual([path, expect.toSatisfy((code) => code === 403 || code === 404)])
    expect(text).not.toContain(HIDDEN)
  }
  // The body may not name another place than the path.
  const elsewhere = { metadata: { name: 'x', namespace: 'kube-system' } }
  expect((await server.post('/api/v1/namespaces/lab/configmaps', elsewhere, as('owner'))).status).toBe(400)
  expect((await server.put(`${SECRETS}/own`, elsewhere, as('owner'))).status).toBe(400)
  const finalize = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' }, spec: { finalizers: [] } }
  expect((await server.put('/api/v1/namespaces/lab/finalize', finalize, as('owner'))).status).toBe(400)
})

it('what a path says cannot add a header to the response', async () => {
  const server = await lab()
  for (const place of ['%0d%0aX-Made:1', '%0aX-Made:1', '%c4%8d%c4%8aX-Made:1', '%22%0dX-Made:1']) {
    const { status, headers } = await server.get(`/api/v1/namespaces/${place}/secrets`, as('reader'))
    expect(status).toBe(403)
    expect(headers.get('x-made')).toBeNull()
  }
})

const inner =
  'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  'Content-Length: 32\r\nConnection: close\r\n\r\n{"metadata":{"name":"smuggled"}}'
const outer = (headers: string, body: string) => `POST /x HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${body}`

const SMUGGLED: readonly [string, string][] = [
  ['a length and chunks', outer('Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${inner}`)],
  ['two transfer encodings', outer('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${inner}`)],
  ['a transfer encoding that nobody knows', outer('Transfer-Encoding: xchunked', `0\r\n\r\n${inner}`)],
  ['a strange space', outer('Transfer-Encoding:\x0bchunked\r\nContent-Length: 4', `0\r\n\r\n${inner}`)],
  ['two lengths', outer(`Content-Length: 0\r\nContent-Length: ${inner.length}`, inner)],
  ['a length with a sign', outer('Content-Length: +0', inner)],
  ['a space before the colon', outer('Content-Length : 0', inner)],
  ['a folded header', outer('X: a\r\n Content-Length: 0', inner)],
  ['lines without CR', `POST /x HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n${inner}`],
  ['a chunk that ends without CR', outer('Transfer-Encoding: chunked', `0;\n${inner}\r\n\r\n`)],
  ['the body of a GET', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
]

it('a request inside of another is not read as one', async () => {
  const server = await serveForTest()
  // The inner request by itself is a good one.
  expect(await server.raw(inner.replace('smuggled', 'honestly'))).toContain(' 201 ')
  for (const [name, bytes] of SMUGGLED) {
    // The server closes after an error of the parser; the last request asks it to close in any other case.
    const answer = await server.raw(`${bytes}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect([name, answer]).toEqual([name, expect.not.stringContaining(' 201 ')])
  }
  const { body } = await server.get(MAPS)
  const names = (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
  expect(names).toContain('honestly')
  expect(names).not.toContain('smuggled')
})

describe('a credential that is not one never becomes the administrator of the plain port', () => {
  it.each([
    'Authorization:',
    'Authorization: Bearer',
    'Authorization: Bearer x\r\nAuthorization: ',
    'Authorization: Basic eDp4',
    'Impersonate-User: ',
    'Impersonate-User: \r\nImpersonate-User: nobody',
    'Impersonate-User: nobody\r\nimpersonate-user: system:admin\r\nImpersonate-Group: system:masters',
    'Impersonate-Group: system:masters',
    'Impersonate-Uid: 1',
  ])('%j', async (headers) => {
    const server = await serveForTest()
    const request = (more: string) =>
      server.raw(`GET /api/v1/secrets HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`)
    expect(await request('')).toMatch(/^HTTP\/1.1 200 /)
    expect(await request(`${headers}\r\n`)).toMatch(/^HTTP\/1.1 40[013] /)
  })

  it('nor does a token that a WebSocket offers', async () => {
    const server = await serveForTest()
    const open = (protocols: string) =>
      server.raw(
        `GET ${MAPS}?watch=true HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eHh4eHh4eHh4eHh4eHh4eA==\r\n` +
          `Sec-WebSocket-Protocol: ${protocols}\r\n\r\n`,
      )
    const bearer = 'base64url.bearer.authorization.k8s.io.'
    for (const protocols of [
      `watch, ${bearer}eA`,
      `watch, ${bearer}`,
      `watch, ${bearer}eA, ${bearer}eA`,
      `${bearer}eA`,
    ])
      expect(await open(protocols)).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('over TLS', () => {
  it('a token counts in its header alone, and a method in its line alone', async () => {
    const { get } = await serveSecurely()
    for (const path of [`${MAPS}?access_token=x`, `${MAPS}?token=x`, `${MAPS}?authorization=Bearer%20x`])
      expect((await get(path)).status).toBe(401)
    for (const headers of [
      { cookie: 'token=x' },
      { 'proxy-authorization': 'Bearer x' },
      { 'x-forwarded-client-cert': 'Subject="CN=admin,O=system:masters"' },
      { 'ssl-client-verify': 'SUCCESS' },
      { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
      { 'x-http-method-override': 'GET' },
      { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' },
    ])
      expect((await get(MAPS, { headers })).status).toBe(401)
    const masters = clientCertificate(AUTHORITY)
    expect((await get(MAPS, masters)).status).toBe(200)
    const override = { 'x-http-method-override': 'DELETE' }
    expect((await get(`${MAPS}/kube-root-ca.crt`, { ...masters, headers: override })).status).toBe(200)
  })

  it('a stream of HTTP/2 names one user, one path and no other scheme of asking', async () => {
    const { http2 } = await serveSecurely()
    const session = http2(clientCertificate(AUTHORITY))
    const send = async (headers: Record<string, string | string[]>) => {
      const stream = session.request({ ':path': MAPS, ...headers })
      try {
        const [head] = await once(stream, 'response')
        stream.close()
        return head[':status']
      } catch {
        return 'reset'
      }
    }
    expect(await send({})).toBe(200)
    expect(await send({ 'impersonate-user': ['nobody', 'system:admin'] })).toBe(400)
    expect(await send({ 'impersonate-user': '' })).toBe(400)
    expect(await send({ 'impersonate-user': 'nobody' })).toBe(403)
    expect(await send({ ':path': `https://elsewhere${MAPS}` })).toBe('reset')
    expect(await send({ ':authority': 'evil.test' })).toBe(403)
    expect((await ask(session, { ':path': MAPS })).status).toBe(200)
  })
})
