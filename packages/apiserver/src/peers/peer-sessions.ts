// The connections to the other servers of a store: HTTP/2 with this server's own certificate, kept while there are requests.
// A request takes a stream of one; a second connection is opened when the first is full of long polls.

import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { type Clock, systemClock } from '@homeostat/base'

/** PEM texts. */
export interface MemberCredentials {
  /** The client certificate of this server, in the group of the front proxies, and its key. */
  readonly certificate: string
  readonly key: string
  /** The authorities of the servers, which issued what the others prove themselves with. */
  readonly authorities: string
}

export interface PeerRequest {
  readonly headers: OutgoingHttpHeaders
  readonly body: Uint8Array | undefined
  readonly signal: AbortSignal
}

export interface PeerResponse {
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array> & { destroy(): void }
}

/** The request did not reach the other server, so that it may be sent again. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError'
}

/** Servers allow as many streams of one connection, or more. */
const STREAMS = 200
const CONNECT_MS = 2000
/** Of a certificate that every server has, besides the one for its public names. */
const SERVER_NAME = 'localhost'
const IDLE_MS = 60_000

interface Session {
  readonly http2: ClientHttp2Session
  readonly connected: Promise<void>
  open: number
}

export class PeerSessions {
  readonly #credentials: () => MemberCredentials
  readonly #clock: Clock
  readonly #sessions = new Map<string, Session[]>()
  #isClosed = false

  /** `credentials` are asked for with each new connection. The network has the time of the machine, whatever the server's clock is. */
  constructor(credentials: () => MemberCredentials, clock: Clock = systemClock) {
    this.#credentials = credentials
    this.#clock = clock
  }

  /** Resolves with the head of the response. Rejects with a NotSentError while nothing has been sent. */
  async send(address: string, { headers, body, signal }: PeerRequest): Promise<PeerResponse> {
    const session = this.#session(address)
    session.open++
    try {
      await session.connected
    } catch (cause) {
      session.open--
      throw new NotSentError(`the server at ${address} cannot be reached`, { cause })
    }
    if (signal.aborted || session.http2.closed || session.http2.destroyed) {
      session.open--
      throw new NotSentError(`the connection to ${address} has ended`)
    }
    const stream = session.http2.request(headers, { endStream: body === undefined })
    stream.once('close', () => {
      session.open--
    })
    return this.#response(stream, body, signal)
  }

  /** Ends all connections, also those with requests under way. */
  close(): void {
    this.#isClosed = true
    for (const sessions of this.#sessions.values()) for (const { http2 } of sessions) http2.destroy()
    this.#sessions.clear()
  }

  #response(stream: ClientHttp2Stream, body: Uint8Array | undefined, signal: AbortSignal): Promise<PeerResponse> {
    return new Promise((resolve, reject) => {
      const cancel = () => stream.close(CANCEL)
      signal.addEventListener('abort', cancel, { once: true })
      stream.once('close', () => {
        signal.removeEventListener('abort', cancel)
        reject(new Error('the other server has ended the request'))
      })
      stream.on('error', reject)
      stream.once('response', (headers) => resolve({ headers, body: stream }))
      if (body !== undefined) stream.end(body)
    })
  }

  #session(address: string): Session {
    if (this.#isClosed) throw new NotSentError('this server ends')
    const known = this.#sessions
      .get(address)
      ?.find(({ http2, open }) => open < STREAMS && !http2.closed && !http2.destroyed)
    return known ?? this.#connect(address)
  }

  #connect(address: string): Session {
    const { certificate, key, authorities } = this.#credentials()
    // A server that never passes on loads nothing of it.
    const { connect } = process.getBuiltinModule('node:http2')
    const http2 = connect(address, {
      cert: certificate,
      key,
      ca: authorities,
      servername: SERVER_NAME,
      minVersion: 'TLSv1.2',
    })
    const { promise: connected, resolve, reject } = Promise.withResolvers<void>()
    const inTime = this.#clock.setTimer(CONNECT_MS, () => http2.destroy(new Error('it does not answer')))
    // Node announces a session that was given up, too: nothing may be done to it here.
    http2.once('connect', () => {
      inTime()
      resolve()
    })
    // Every request hears of a failure by its own stream.
    http2.on('error', reject)
    http2.once('close', () => {
      inTime()
      reject(new Error('the connection has ended'))
      this.#forget(address, session)
    })
    connected.catch(() => {})
    const session: Session = { http2, connected, open: 0 }
    http2.setTimeout(IDLE_MS, () => {
      if (session.open === 0) http2.close()
    })
    // The server asks for no further streams: others go to a new connection.
    http2.once('goaway', () => this.#forget(address, session))
    this.#sessions.set(address, [...(this.#sessions.get(address) ?? []), session])
    return session
  }

  #forget(address: string, session: Session): void {
    const left = (this.#sessions.get(address) ?? []).filter((one) => one !== session)
    if (left.length > 0) this.#sessions.set(address, left)
    else this.#sessions.delete(address)
    if (session.open === 0) session.http2.close()
  }
}

/** RFC 9113: the stream is no longer needed. */
const CANCEL = 8
