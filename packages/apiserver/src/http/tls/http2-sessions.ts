// Serves HTTP/2 on connections whose handshake is done: a session per connection, a transport per stream. It bounds what a
// session may ask of the server beside requests: pings, settings and resets here, the rest in nghttp2 (CONTINUATION frames,
// header lists, frames that nobody reads the answers to).

import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { type Clock, TokenBucket } from '@homeostat/base'
import type { Transport } from '../../exchange/transport.ts'
import type { Peer } from '../../identity/peer.ts'
import { Http2Transport } from './http2-transport.ts'

const OPTIONS = {
  // In MiB. Data that clients have not read counts, and a watch may have 4 MiB of it: 250 slow watches must not refuse the
  // next request. Watches and large responses have bounds of their own.
  maxSessionMemory: 1024,
  settings: {
    maxConcurrentStreams: 250,
    maxHeaderListSize: 64 << 10,
    initialWindowSize: 256 << 10,
    enablePush: false,
  },
}

/** As long as an idle connection of HTTP/1.1 is kept. */
const IDLE_MS = 125_000
/** Sessions with streams that are not complete by then are destroyed when the server ends. */
const DRAIN_MS = 30_000
/** Go's clients ping every 30 s, and settings seldom change. */
const CONTROL_FRAMES = { burst: 1000, perSecond: 50 }
/** Just below nghttp2's own limit, at which Node 22 stops reading and keeps the connection until it is idle. */
const RESETS = { burst: 900, perSecond: 30 }

export class Http2Sessions {
  readonly #handle: (transport: Transport) => void
  readonly #clock: Clock
  readonly #requestMs: number
  readonly #sessions = new Set<ServerHttp2Session>()
  #isDraining = false

  /** `requestMs`: how long a client may take to send a request's body. */
  constructor(handle: (transport: Transport) => void, clock: Clock, requestMs: number) {
    this.#handle = handle
    this.#clock = clock
    this.#requestMs = requestMs
  }

  accept(socket: TLSSocket, peer: Peer): void {
    // Loaded with the first connection that needs it: 18 ms of CPU that a start does without.
    const { constants, performServerHandshake } = process.getBuiltinModule('node:http2')
    const localAddress = `${socket.localAddress}:${socket.localPort}`
    const session = performServerHandshake(socket, OPTIONS) as ServerHttp2Session
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
    // A broken connection or protocol ends the session by itself.
    session.on('error', () => {})
    let open = 0
    session.setTimeout(IDLE_MS, () => {
      if (open === 0) session.close()
    })
    const counter = (limit: { readonly burst: number; readonly perSecond: number }) => {
      const left = new TokenBucket(limit, this.#clock.now())
      return () => {
        left.take()
        if (!left.has(this.#clock.now())) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
      }
    }
    const countControl = counter(CONTROL_FRAMES)
    const countReset = counter(RESETS)
    session.on('ping', countControl)
    session.on('remoteSettings', countControl)
    session.on('stream', (stream, headers, flags, rawHeaders) => {
      // Not before the first request: a client would only connect again.
      if (this.#isDraining && open === 0) announceEnd(session)
      open++
      stream.once('close', () => {
        open--
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) countReset()
      })
      const isComplete = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
      this.#serve(stream, headers, rawHeaders as unknown as string[], isComplete, peer, localAddress)
    })
  }

  /** Asks clients to open further streams elsewhere. Those that they open all the same are served. */
  drain(): void {
    this.#isDraining = true
    for (const session of this.#sessions) announceEnd(session)
  }

  /** Lets streams end, and resolves when all sessions have. */
  async close(): Promise<void> {
    const late = setTimeout(() => {
      for (const session of this.#sessions) session.destroy()
    }, DRAIN_MS)
    await Promise.all([...this.#sessions].map((session) => closed(session)))
    clearTimeout(late)
  }

  #serve(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    isComplete: boolean,
    peer: Peer,
    localAddress: string,
  ): void {
    stream.on('error', ignore)
    if (!isComplete) this.#limitBody(stream)
    this.#handle(new Http2Transport({ stream, headers, rawHeaders, isComplete, peer, localAddress }))
  }

  /** A client that resets the stream, or takes too long with its body, ends the body with an error, as over HTTP/1.1. */
  #limitBody(stream: ServerHttp2Stream): void {
    const late = setTimeout(() => stream.destroy(new Error('the body took too long')), this.#requestMs)
    stream.once('end', () => clearTimeout(late))
    stream.once('close', () => clearTimeout(late))
    stream.once('aborted', () => {
      if (!stream.readableEnded) stream.destroy(new Error('the client reset the stream'))
    })
  }
}

/** GOAWAY with the highest stream that could be: no stream that is on its way is refused (RFC 9113, 6.8). */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.destroyed && !session.closed) session.goaway(0, 2 ** 31 - 1)
}

function ignore(): void {}

function closed(session: ServerHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.destroyed) return resolve()
    // Not as the callback of `close`, which is not called for a session that its client is closing already.
    session.once('close', resolve)
    session.close()
  })
}
