// The TLS port: who is refused, what floods get, and what changes while connections stay.

import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { makeAuthority } from '@homeostat/pki'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AUTHORITY, ask, clientCertificate, identity, serveSecurely } from './secure.ts'

const GET = { ':method': 'GET', ':path': '/version' }
const STRANGER = makeAuthority(Date.now())

describe('a TLS port', () => {
  it('speaks HTTP/1.1 and HTTP/2, as TLS 1.2 and 1.3, to those without a certificate too', async () => {
    const { get, http2, tls } = await serveSecurely()
    expect((await get('/version')).status).toBe(200)
    expect((await get('/version', { maxVersion: 'TLSv1.2' })).status).toBe(200)
    expect((await ask(http2(), GET)).status).toBe(200)
    const chosen = async (protocols: string[]) => {
      const socket = tls({ ALPNProtocols: protocols })
      await once(socket, 'secureConnect')
      return socket.alpnProtocol
    }
    expect(await chosen(['http/1.1', 'h2'])).toBe('h2')
    expect(await chosen(['http/1.1'])).toBe('http/1.1')
  })

  it.each([
    ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1' } as const],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' } as const],
    ['a protocol that nobody knows', { ALPNProtocols: ['spdy/3', '\0\xff'] }],
  ])('refuses %s', async (_, options) => {
    const { tls, get } = await serveSecurely()
    const [error] = await once(tls({ ciphers: 'DEFAULT@SECLEVEL=0', ...options }), 'error')
    expect(error.code).toMatch(/ALERT|UNSUPPORTED_PROTOCOL|ECONNRESET/)
    expect((await get('/version')).status).toBe(200)
  })

  it('sends each of several cookies, over HTTP/2 too', async () => {
    const headers = ['Set-Cookie', 'a=1', 'Content-Type', 'text/plain', 'Set-Cookie', 'b=2']
    const site = { path: '/ui', api: '/ui/api', answer: async () => ({ status: 200, headers, body: Buffer.alloc(0) }) }
    const { http2 } = await serveSecurely({}, site)
    const stream = http2().request({ ':path': '/ui' })
    const [head] = await once(stream, 'response')
    stream.resume()
    expect(head).toMatchObject({ ':status': 200, 'set-cookie': ['a=1', 'b=2'], 'content-type': 'text/plain' })
  })

  it('does not mind what SNI says, nor plain HTTP and other bytes', async () => {
    const { get, port } = await serveSecurely()
    const checkServerIdentity = () => undefined
    for (const servername of ['elsewhere.example', 'x'.repeat(250), 'ü*.\t'])
      expect((await get('/version', { servername, checkServerIdentity })).status).toBe(200)
    for (const bytes of [
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
      '\x16\x03\x01\xff\xff',
      Buffer.alloc(2000, 255),
    ]) {
      const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
      onTestFinished(() => void socket.destroy())
      socket.end(bytes)
      socket.resume()
      await once(socket, 'close')
    }
    expect((await get('/version')).status).toBe(200)
  })

  it('answers 401 to a certificate that its authorities did not issue for a client, or that has ended', async () => {
    const { get, http2 } = await serveSecurely()
    const bad = {
      'of another authority with the same name': clientCertificate(STRANGER),
      expired: clientCertificate(AUTHORITY, { until: Date.now() - 60_000 }),
      'for servers': clientCertificate(AUTHORITY, { usage: 'server' }),
    }
    for (const [name, certificate] of Object.entries(bad)) {
      expect([name, (await get('/version', certificate)).status]).toEqual([name, 401])
      expect([name, (await ask(http2(certificate), GET)).status]).toEqual([name, 401])
    }
    expect((await get('/version', clientCertificate(AUTHORITY))).status).toBe(200)
  })

  it('answers only to the names of its certificate and of loopback, as Host and as :authority', async () => {
    const { server, get, http2 } = await serveSecurely()
    const byHost = async (host: string) =>
      (await get('/version', { headers: { host }, servername: 'localhost' })).status
    const session = http2()
    const byAuthority = async (authority: string) => (await ask(session, { ...GET, ':authority': authority })).status
    for (const status of [byHost, byAuthority]) {
      for (const good of ['localhost', '127.0.0.1:6443', '[::1]:1', 'here.test', 'HERE.test:6443', '10.1.2.3'])
        expect([good, await status(good)]).toEqual([good, 200])
      for (const bad of [
        'evil.example',
        'evil.example:6443',
        'there.test',
        'here.test%',
        '10.1.2.4',
        'here.test.evil.example',
        'server',
      ])
        expect([bad, await status(bad)]).toEqual([bad, 403])
    }
    // One name for the guard, another for what reads the header.
    const both = await ask(session, { ...GET, ':authority': 'evil.example', host: 'localhost' })
    expect(both.status).toBe(403)
    // A new certificate has other names, and no name is remembered.
    server.secure?.update(identity(AUTHORITY, AUTHORITY.certificate, ['there.test']))
    expect([await byHost('there.test'), await byHost('here.test')]).toEqual([200, 403])
    expect(await byAuthority('here.test')).toBe(403)
  })

  it('refuses pages of other origins, and plain HTTP is another origin', async () => {
    const { port, http2 } = await serveSecurely()
    const session = http2()
    const from = async (headers: Record<string, string>) => (await ask(session, { ...GET, ...headers })).status
    expect(await from({ origin: `https://127.0.0.1:${port}` })).toBe(200)
    expect(await from({ origin: `http://127.0.0.1:${port}` })).toBe(403)
    expect(await from({ origin: 'https://evil.example' })).toBe(403)
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  })

  it('takes another certificate and keeps its connections', async () => {
    const { server, get, http2, tls } = await serveSecurely()
    const session = http2(clientCertificate(AUTHORITY))
    expect((await ask(session, GET)).status).toBe(200)
    const next = makeAuthority(Date.now(), 'homeostat next')
    expect(() => server.secure?.update({ ...identity(next), key: identity().key })).toThrow('not that of the serving')
    expect(() => server.secure?.update({ ...identity(next), certificate: 'nonsense' })).toThrow('not valid PEM')
    expect((await get('/version')).status).toBe(200)
    server.secure?.update(identity(next, AUTHORITY.certificate + next.certificate))
    expect((await ask(session, GET)).status).toBe(200)
    const socket = tls({ ca: next.certificate })
    await once(socket, 'secureConnect')
    expect(socket.authorized).toBe(true)
    // Both authorities are trusted while it rotates.
    for (const authority of [AUTHORITY, next])
      expect((await get('/version', { ca: next.certificate, ...clientCertificate(authority) })).status).toBe(200)
  })

  it('ends connections of an authority that was removed, and does not resume their sessions', async () => {
    const { server, get, http2, tls } = await serveSecurely()
    const next = makeAuthority(Date.now(), 'homeostat next')
    server.secure?.update(identity(AUTHORITY, AUTHORITY.certificate + next.certificate))
    const [old, kept, nobody] = [http2(clientCertificate(AUTHORITY)), http2(clientCertificate(next)), http2()]
    for (const session of [old, kept, nobody]) expect((await ask(session, GET)).status).toBe(200)
    const resumable = tls({ ...clientCertificate(AUTHORITY), maxVersion: 'TLSv1.2' })
    await once(resumable, 'secureConnect')
    const ended = Promise.all([once(old, 'close'), once(resumable, 'close')])
    server.secure?.update(identity(AUTHORITY, next.certificate))
    resumable.resume()
    await ended
    for (const session of [kept, nobody]) expect((await ask(session, GET)).status).toBe(200)
    const again = { ...clientCertificate(AUTHORITY), session: resumable.getSession(), maxVersion: 'TLSv1.2' as const }
    expect((await get('/version', again)).status).toBe(401)
  })

  it('ends at once, also with connections that never sent a request', async () => {
    const { server, http2, tls, port } = await serveSecurely({ handshakeMs: 600_000 })
    const silent = connectTcp(port, '127.0.0.1').on('error', () => {})
    const idle = tls({ ALPNProtocols: ['http/1.1'] })
    const session = http2()
    await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect'), once(session, 'connect')])
    for (const socket of [silent, idle]) socket.resume()
    const ended = Promise.all([once(silent, 'close'), once(idle, 'close'), once(session, 'close')])
    await server.close()
    await ended
  })
})

describe('floods', () => {
  it('lets a slow handshake time out', async () => {
    const { port } = await serveSecurely({ handshakeMs: 50 })
    const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
    socket.resume()
    await once(socket, 'close')
  })

  it('holds back the handshakes of an address, and refuses those that cannot wait', async () => {
    const handshakes = { burst: 2, perSecond: 0.001, unfinished: 10, waiting: 1 }
    const { tls } = await serveSecurely({ handshakes })
    for (const socket of [tls(), tls()]) await once(socket, 'secureConnect')
    const waiting = tls()
    await once(waiting, 'connect')
    const refused = tls()
    await new Promise((resolve) => refused.once('close', resolve))
    expect([waiting.destroyed, waiting.authorized]).toEqual([false, false])
  })

  /** Frames of HTTP/2, written by hand on a connection whose client does not behave. */
  async function frames(bytes: (at: number) => Buffer, times: number): Promise<void> {
    const { tls, get } = await serveSecurely()
    const socket = tls({ ALPNProtocols: ['h2'] })
    await once(socket, 'secureConnect')
    socket.resume()
    // Its last frame may be lost: the server does not wait for what such a client still sends.
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    socket.write(frame(SETTINGS, 0, 0))
    for (let at = 0; at < times && !socket.destroyed; at++) socket.write(bytes(at))
    await ended
    expect((await get('/version')).status).toBe(200)
  }

  it('ends a session that resets each of its streams', async () => {
    const reset = (at: number) =>
      Buffer.concat([frame(HEADERS, 0x5, 2 * at + 1, REQUEST), frame(RST_STREAM, 0, 2 * at + 1, Buffer.of(0, 0, 0, 8))])
    await frames(reset, 5000)
  })

  it('ends a session that never ends its headers', async () => {
    const endless = (at: number) => frame(at === 0 ? HEADERS : CONTINUATION, 0, 1, at === 0 ? REQUEST : Buffer.alloc(0))
    await frames(endless, 20_000)
  })

  it.each([
    ['settings', frameOf(0x4)],
    ['pings', frameOf(0x6, Buffer.alloc(8))],
  ])('ends a session that sends %s without end', async (_, bytes) => {
    await frames(() => bytes, 20_000)
  })

  it('answers others on the session while watches are read slowly', async () => {
    const { server, http2 } = await serveSecurely()
    const session = http2(clientCertificate(AUTHORITY))
    const api = server.api({ username: 'test', manager: 'test' })
    const configMaps = { group: '', resource: 'configmaps' }
    const path = '/api/v1/namespaces/default/configmaps?watch=true'
    const watches = Array.from({ length: 8 }, () => session.request({ ':method': 'GET', ':path': path }))
    const heads = await Promise.all(watches.map((watch) => once(watch, 'response')))
    expect(heads.map(([head]) => head[':status'])).toEqual(Array(8).fill(200))
    for (const name of ['a', 'b', 'c'])
      await api.create(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'default' },
        data: { text: 'x'.repeat(900_000) },
      })
    expect((await ask(session, GET)).status).toBe(200)
  })
})

const HEADERS = 0x1
const RST_STREAM = 0x3
const SETTINGS = 0x4
const CONTINUATION = 0x9

/** HPACK: method GET, scheme https, path /, authority localhost. */
const REQUEST = Buffer.concat([Buffer.of(0x82, 0x87, 0x84, 0x41, 0x09), Buffer.from('localhost')])

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function frameOf(type: number, payload?: Buffer): Buffer {
  return frame(type, 0, 0, payload)
}
