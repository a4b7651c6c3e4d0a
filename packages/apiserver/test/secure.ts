// A server with a TLS port in the test's process, its authority, and clients of all kinds for it.

import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { type Authority, issueCertificate, makeAuthority } from '@homeostat/pki'
import { MemoryStore } from '@homeostat/store'
import { onTestFinished } from 'vitest'
import { type ApiServer, type SecureOptions, type Site, startApiServer, type TlsIdentity } from '../src/index.ts'
import type { Body } from './body.ts'

export const AUTHORITY = makeAuthority(Date.now())
const HOUR = 3_600_000

export interface Certified {
  readonly cert: string
  readonly key: string
}

/** A client certificate; valid for an hour around now unless it says otherwise. */
export function clientCertificate(
  authority: Authority,
  {
    usage = 'client' as 'client' | 'server',
    until = Date.now() + HOUR,
    user = 'ann',
    groups = ['system:masters'],
  } = {},
): Certified {
  const { certificate, key } = issueCertificate(authority, {
    commonName: user,
    organizations: groups,
    usage,
    notBefore: new Date(Math.min(until, Date.now()) - HOUR),
    notAfter: new Date(until),
  })
  return { cert: certificate, key }
}

export function identity(
  authority = AUTHORITY,
  trusted = authority.certificate,
  dnsNames = ['here.test'],
): TlsIdentity {
  const serving = issueCertificate(authority, {
    commonName: 'server',
    usage: 'server',
    dnsNames: ['localhost', ...dnsNames],
    addresses: ['127.0.0.1', '10.1.2.3'],
    notBefore: new Date(Date.now() - HOUR),
    notAfter: new Date(Date.now() + HOUR),
  })
  return { ...serving, clientAuthorities: trusted }
}

export interface Answered {
  readonly status: number
  readonly body: Body
  readonly text: string
}

export interface SecureServer {
  readonly server: ApiServer
  readonly port: number
  /** A GET over HTTP/1.1 on a connection of its own. */
  get(path: string, options?: ConnectionOptions & { headers?: Record<string, string> }): Promise<Answered>
  /** A session of HTTP/2; it ends with the test. */
  http2(options?: ConnectionOptions): ClientHttp2Session
  /** A TLS connection; it ends with the test. */
  tls(options?: ConnectionOptions): TLSSocket
}

/** Closes with the test. */
export async function serveSecurely(options: Partial<SecureOptions> = {}, site?: Site): Promise<SecureServer> {
  const store = new MemoryStore()
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: undefined,
    secure: { host: '127.0.0.1', port: 0, identity: identity(), ...options },
    site,
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  const port = server.secure?.address.port ?? 0
  const common = { host: '127.0.0.1', port, ca: AUTHORITY.certificate }
  return {
    server,
    port,
    get: (path, { headers = {}, ...more } = {}) =>
      new Promise((resolve, reject) => {
        const sent = request({ ...common, ...more, path, headers, agent: false }, async (response) => {
          const text = (await response.setEncoding('utf8').toArray()).join('')
          resolve({ status: response.statusCode ?? 0, text, body: jsonOr(text) })
        })
        sent.once('error', reject).end()
      }),
    http2(more) {
      const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: common.ca, ...more })
      session.on('error', () => {})
      onTestFinished(() => session.destroy())
      return session
    },
    tls(more) {
      const socket = connect({ ...common, ...more })
      socket.on('error', () => {})
      onTestFinished(() => void socket.destroy())
      return socket
    },
  }
}

function jsonOr(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {} as Body
  }
}

/** One request on a session. */
export async function ask(session: ClientHttp2Session, headers: Record<string, string>): Promise<Answered> {
  const stream = session.request(headers)
  stream.setEncoding('utf8')
  const [head] = await once(stream, 'response')
  const text = (await stream.toArray()).join('')
  return { status: Number(head[':status']), text, body: jsonOr(text) }
}
