// Who somebody is on the TLS port: by certificate, by token, or nobody.

import { once } from 'node:events'
import { makeAuthority } from '@homeostat/pki'
import { describe, expect, it } from 'vitest'
import { AUTHORITY, ask, clientCertificate, identity, serveSecurely } from './secure.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const WATCH = { ':method': 'GET', ':path': `${MAPS}?watch=true` }
const STAFF = { user: 'ann', groups: ['staff'] }

type Session = Parameters<typeof ask>[0]

async function whoIs(session: Session, headers: Record<string, string> = {}): Promise<unknown> {
  const stream = session.request({ ':method': 'POST', ':path': WHO, 'content-type': 'application/json', ...headers })
  stream.end(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }))
  stream.setEncoding('utf8')
  const [head] = await once(stream, 'response')
  const body = JSON.parse((await stream.toArray()).join(''))
  return head[':status'] === 201 ? body.status.userInfo : head[':status']
}

describe('over TLS', () => {
  it('a certificate is its user, whatever token is sent beside it', async () => {
    const { http2 } = await serveSecurely()
    const session = http2(clientCertificate(AUTHORITY, STAFF))
    const ann = {
      username: 'ann',
      groups: ['staff', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    }
    expect(await whoIs(session)).toEqual(ann)
    expect(await whoIs(session, { authorization: 'Bearer nonsense' })).toEqual(ann)
    expect((await ask(session, { ':path': MAPS })).status).toBe(403)
  })

  it('health and version are for everybody; all else is 401 without a credential', async () => {
    const { get } = await serveSecurely()
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) expect((await get(path)).status).toBe(200)
    for (const path of ['/', '/api', MAPS, '/metrics', '/openapi/v2', '/nowhere', '/watch', '/events', '/healthzz'])
      expect((await get(path)).status).toBe(401)
    expect((await get('/version', { headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })

  it('anonymous users can be let in nowhere, or wherever their rights allow', async () => {
    const { get, server } = await serveSecurely()
    server.configureAuthentication({ anonymous: { paths: new Set(), below: [] } })
    expect((await get('/version')).status).toBe(401)
    server.configureAuthentication({ anonymous: 'anywhere' })
    expect([(await get('/version')).status, (await get(MAPS)).status]).toEqual([200, 403])
  })

  it.each([
    ['of another authority', () => clientCertificate(makeAuthority(Date.now()))],
    ["of a front proxy's authority", () => clientCertificate(makeAuthority(Date.now(), 'front-proxy'))],
    ['that has ended', () => clientCertificate(AUTHORITY, { until: Date.now() - 60_000 })],
    ['of a server', () => clientCertificate(AUTHORITY, { usage: 'server' })],
  ])('a certificate %s is 401, also for what anonymous users may read', async (_, make) => {
    const { get } = await serveSecurely()
    const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }
    expect((await get('/version', { ...make(), headers })).status).toBe(401)
    expect((await get(MAPS, { ...make(), headers })).status).toBe(401)
  })

  it('headers of a front proxy make nobody anybody', async () => {
    const { http2 } = await serveSecurely()
    const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }
    expect(await whoIs(http2(), headers)).toBe(401)
    expect(await whoIs(http2(clientCertificate(AUTHORITY, STAFF)), headers)).toMatchObject({ username: 'ann' })
  })

  it('impersonation needs the right, also with a certificate', async () => {
    const { http2 } = await serveSecurely()
    const as = { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' }
    expect(await whoIs(http2(clientCertificate(AUTHORITY, STAFF)), as)).toBe(403)
    expect(await whoIs(http2(), as)).toBe(401)
    expect(await whoIs(http2(clientCertificate(AUTHORITY)), as)).toMatchObject({ username: 'bob' })
  })

  it('an authority that is taken out ends watches of its certificates, and new requests get 401', async () => {
    const next = makeAuthority(Date.now(), 'homeostat-2')
    const { server, http2, get } = await serveSecurely()
    const both = AUTHORITY.certificate + next.certificate
    server.secure?.update(identity(AUTHORITY, both))
    const [old, young] = [clientCertificate(AUTHORITY), clientCertificate(next)]
    const watch = http2(old).request(WATCH)
    watch.on('error', () => {})
    expect((await once(watch, 'response'))[0][':status']).toBe(200)
    expect((await get(MAPS, young)).status).toBe(200)
    const closed = once(watch, 'close')
    server.secure?.update(identity(AUTHORITY, next.certificate))
    await closed
    expect((await get(MAPS, old)).status).toBe(401)
    expect((await get(MAPS, young)).status).toBe(200)
  })
})
