// A transport on sockets: TCP, TLS, or in-process streams. It pools connections.

import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { Transport, TransportRequest, TransportResponse } from '../../api/transport.ts'
import type { Credential, Credentials } from '../credentials/credentials.ts'
import { makeAgent } from './agent.ts'
import { watchOver } from './new-connection.ts'
import { bodyOf } from './response-body.ts'

export interface NodeTransportOptions {
  /** The server's URL. Its path is prepended to every request's. */
  readonly url: string
  /** The CA of the server's certificate, PEM. Default: those that Node trusts. */
  readonly ca?: string | Uint8Array
  /** Client certificate and key, PEM. */
  readonly cert?: string | Uint8Array
  readonly key?: string | Uint8Array
  /** The name that the server's certificate must contain. Default: the host of the URL. */
  readonly servername?: string
  readonly insecureSkipTlsVerify?: boolean
  /** Sent with every request, e.g. `{ authorization: 'Bearer ...' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called for every request, and again when the server refuses the credential. */
  readonly credentials?: Credentials
  /** Time limit of a new connection, including the TLS handshake. Default 30 s. */
  readonly connectTimeout?: Duration
  /** Opens the connection instead of TCP, e.g. to a server in this process. */
  readonly connect?: () => Duplex
}

const USER_AGENT = 'homeostat-client'

export function nodeTransport(options: NodeTransportOptions): Transport {
  return new NodeTransport(options)
}

class NodeTransport implements Transport {
  readonly server: string
  readonly #url: URL
  readonly #prefix: string
  readonly #secure: boolean
  readonly #agent: Agent
  readonly #request: (options: RequestOptions) => ClientRequest
  readonly #headers: Readonly<Record<string, string>>
  readonly #credentials: Credentials | undefined
  readonly #connectTimeoutMs: number
  readonly #underWay = new Set<ClientRequest>()
  #closed = false

  constructor(options: NodeTransportOptions) {
    this.#url = serverUrl(options.url)
    this.#prefix = this.#url.pathname.replace(/\/$/, '')
    this.server = `${this.#url.origin}${this.#prefix}`
    this.#headers = { 'user-agent': USER_AGENT, ...options.headers }
    this.#credentials = options.credentials
    this.#connectTimeoutMs = milliseconds(options.connectTimeout ?? '30s')
    this.#secure = this.#url.protocol === 'https:' && options.connect === undefined
    this.#agent = makeAgent(options, this.#secure)
    this.#request = process.getBuiltinModule(this.#secure ? 'node:https' : 'node:http').request
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted()
    const credential = await this.#credentials?.get(request.signal)
    const response = await this.#exchange(request, credential)
    if (response.statusCode !== 401 || credential === undefined || !this.#credentials?.refused(credential)) {
      return this.#responseOf(response, request.signal)
    }
    // A 401 means that the request was not carried out, so any method can be retried.
    response.destroy()
    return this.#responseOf(await this.#exchange(request, await this.#credentials.get(request.signal)), request.signal)
  }

  close(): void {
    this.#closed = true
    for (const request of this.#underWay) request.destroy(closedError())
    this.#agent.destroy()
  }

  #exchange(request: TransportRequest, credential: Credential | undefined): Promise<IncomingMessage> {
    const { signal, body } = request
    return new Promise((resolve, reject) => {
      if (this.#closed) throw closedError()
      signal?.throwIfAborted()
      const sent = this.#request(this.#requestOptions(request, credential))
      const abort = () => sent.destroy(asError(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      this.#underWay.add(sent)
      sent.on('close', () => {
        signal?.removeEventListener('abort', abort)
        this.#underWay.delete(sent)
      })
      sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
      sent.on('response', resolve)
      sent.on('socket', (socket) => {
        if (!sent.reusedSocket) watchOver(sent, socket, this.#connectTimeoutMs)
      })
      sent.end(body)
    })
  }

  #responseOf(response: IncomingMessage, signal: AbortSignal | undefined): TransportResponse {
    const ended = () => (signal?.aborted ? signal.reason : this.#closed ? closedError() : undefined)
    return {
      status: response.statusCode ?? 0,
      header(name) {
        const value = response.headers[name.toLowerCase()]
        return Array.isArray(value) ? value.join(', ') : value
      },
      body: bodyOf(response, ended),
    }
  }

  #requestOptions(
    { method, path, headers, body }: TransportRequest,
    credential: Credential | undefined,
  ): RequestOptions {
    const { hostname, port, host } = this.#url
    const length = body === undefined ? undefined : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    return {
      agent: this.#agent,
      protocol: this.#secure ? 'https:' : 'http:',
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: this.#prefix + path,
      ...(credential?.cert !== undefined && { cert: credential.cert, key: credential.key }),
      headers: {
        host,
        ...this.#headers,
        ...credential?.headers,
        ...headers,
        ...(length !== undefined && { 'content-length': `${length}` }),
      },
    }
  }
}

function serverUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`"${text}" is not the URL of a server, such as https://localhost:6443`)
  }
  return url
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the request was aborted', { cause: reason })
}

function closedError(): Error {
  return new Error('the transport was closed')
}
