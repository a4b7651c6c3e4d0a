// The transports of an exchange, each with a client: the server's HTTP/1.1, and an HTTP/2 stream, which the server does not
// offer yet and which proves that exchanges and handlers do not depend on HTTP/1.1.

import { once } from 'node:events'
import { request as http1Request, type IncomingHttpHeaders } from 'node:http'
import {
  connect,
  createServer,
  type Http2ServerRequest,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { drained } from '../src/exchange/drained.ts'
import type { RequestMessage, Transport } from '../src/exchange/transport.ts'
import { http1Server } from '../src/http/http1-server.ts'
import { LOCAL_PEER } from '../src/identity/peer.ts'
import type { WatchSink } from '../src/watch/watch-sink.ts'

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
  { name: 'HTTP/2', serve: overHttp2 },
]

/** Closes with the test. */
export async function overHttp1(handle: (transport: Transport) => void): Promise<Client> {
  const { server, connections } = http1Server(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    return connections.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    async send({ method = 'GET', path = '/', headers = {}, body = '', unfinished = false, signal }) {
      const request = http1Request({ port, method, path, headers, agent: false, ...(signal && { signal }) })
      request.write(body)
      if (unfinished) request.flushHeaders()
      else request.end()
      const [response] = await once(request, 'response')
      return reply(response.statusCode, response.headers, response, () => request.destroy())
    },
  }
}

/** Closes with the test. */
export async function overHttp2(handle: (transport: Transport) => void): Promise<Client> {
  const server = createServer((request, { stream }) => handle(new Http2Transport(request, stream)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    session.destroy()
    server.close()
  })
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

class Http2Transport implements Transport {
  readonly message: RequestMessage
  readonly out: ServerHttp2Stream
  readonly peer = LOCAL_PEER
  readonly localAddress = 'test:80'
  readonly isBehind = false
  status = 200

  constructor(message: Http2ServerRequest, out: ServerHttp2Stream) {
    this.message = message
    this.out = out
  }

  get bodyArrived(): boolean {
    return this.message.complete
  }

  get headSent(): boolean {
    return this.out.headersSent
  }

  get isGone(): boolean {
    return this.out.destroyed
  }

  turn(): Promise<void> {
    return Promise.resolve()
  }

  head(status: number, headers: string[]): void {
    const fields: OutgoingHttpHeaders = { ':status': status }
    for (let at = 0; at < headers.length; at += 2) fields[(headers[at] as string).toLowerCase()] = headers[at + 1]
    this.status = status
    this.out.respond(fields)
  }

  flushHead(): void {}

  end(body: Buffer): void {
    this.out.end(body)
  }

  cut(): void {
    // Destroy with an error; otherwise the stream ends cleanly.
    this.out.on('error', () => {}).destroy(new Error('cut off'))
  }

  events(): WatchSink {
    const { out } = this
    return {
      frame: (lines) => lines,
      send: (framed) => void out.write(framed),
      get buffered() {
        return out.writableLength
      },
      get closed() {
        return out.closed
      },
      drained: () => (out.writableNeedDrain ? drained(out) : Promise.resolve()),
      end: () => void out.end(),
      onClose: (listener) => (out.closed ? listener() : void out.once('close', listener)),
    }
  }
}
