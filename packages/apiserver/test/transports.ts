// The transports of an exchange, each with a client: HTTP/1.1 plain and over TLS, and HTTP/2 over TLS.

import { once } from 'node:events'
import { type ClientRequest, request as http1Request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { connect } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { systemClock } from '@homeostat/base'
import { issueCertificate, makeAuthority } from '@homeostat/pki'
import { onTestFinished } from 'vitest'
import type { Transport } from '../src/exchange/transport.ts'
import { http1Server } from '../src/http/http1-server.ts'
import { TlsListener } from '../src/http/tls/tls-listener.ts'
import { LOCAL_PEER } from '../src/identity/peer.ts'

export interface SentRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Leaves the body open after `body`. */
  readonly unfinished?: boolean
  /** Disconnects. */
  readonly signal?: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The pieces of the body as they arrive. */
  readonly stream: Readable
  body(): Promise<Buffer>
  /** Disconnects. */
  destroy(): void
}

export interface Client {
  send(request: SentRequest): Promise<Reply>
}

type Serve = (handle: (transport: Transport) => void) => Promise<Client>

export const TRANSPORTS: readonly { readonly name: string; readonly serve: Serve }[] = [
  { name: 'HTTP/1.1', serve: overHttp1 },
  { name: 'HTTP/1.1 and TLS', serve: overTls },
  { name: 'HTTP/2 and TLS', serve: overHttp2 },
]

/** Closes with the test. */
export async function overHttp1(handle: (transport: Transport) => void): Promise<Client> {
  const { accept, connections } = http1Server(handle)
  const server = createServer((socket) => accept(socket, LOCAL_PEER)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = openSockets(server)
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
    return connections.close()
  })
  const { port } = server.address() as AddressInfo
  return http1Client((options) => http1Request({ port, ...options }))
}

/** Closes with the test. */
export async function overTls(handle: (transport: Transport) => void): Promise<Client> {
  const port = await secureServer(handle)
  return http1Client((options) => httpsRequest({ port, ca: AUTHORITY.certificate, ...options }))
}

/** Closes with the test. */
export async function overHttp2(handle: (transport: Transport) => void): Promise<Client> {
  const port = await secureServer(handle)
  const session = connect(`https://127.0.0.1:${port}`, { ca: AUTHORITY.certificate })
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return {
    async send({ method = 'GET', path = '/', headers = {}, body = '', unfinished = false }) {
      const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: false })
      if (body.length > 0) stream.write(body)
      if (!unfinished) stream.end()
      const [head] = await once(stream, 'response')
      return reply(Number(head[':status']), head, stream, () => stream.destroy())
    },
  }
}

const AUTHORITY = makeAuthority(Date.now())

async function secureServer(handle: (transport: Transport) => void): Promise<number> {
  const serving = issueCertificate(AUTHORITY, {
    commonName: 'server',
    usage: 'server',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  })
  const http1 = http1Server(handle)
  const listener = new TlsListener({
    identity: { ...serving, clientAuthorities: AUTHORITY.certificate },
    http1,
    handle,
    clock: systemClock,
    maxConnections: 100,
    requestMs: 60_000,
  })
  onTestFinished(async () => {
    await Promise.all([listener.close(), http1.connections.close()])
  })
  return listener.listen('127.0.0.1', 0)
}

function openSockets(server: Server): Set<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

function http1Client(request: (options: RequestOptions) => ClientRequest): Client {
  return {
    async send({ method = 'GET', path = '/', headers = {}, body = '', unfinished = false, signal }) {
      const sent = request({ method, path, headers, agent: false, ...(signal && { signal }) })
      sent.write(body)
      if (unfinished) sent.flushHeaders()
      else sent.end()
      const [response] = await once(sent, 'response')
      return reply(response.statusCode, response.headers, response, () => sent.destroy())
    },
  }
}

function reply(status: number, headers: IncomingHttpHeaders, stream: Readable, destroy: () => void): Reply {
  return {
    status,
    headers,
    stream,
    destroy,
    async body() {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
  }
}
