// The interface between an exchange and its connection. HTTP/1.1 is http/http1-transport.ts; a stream of HTTP/2 would be
// another implementation. Exchanges and handlers do not depend on which one they have.

import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { Peer } from '../identity/peer.ts'
import type { WatchSink } from '../watch/watch-sink.ts'

/** The head of a request, and its body as a stream. Requests of node:http and node:http2 have this shape. */
export type RequestMessage = Readable &
  Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion' | 'complete'>

export interface Transport {
  /** The incoming request. */
  readonly message: RequestMessage
  /** Whether the whole body of the request has arrived. */
  readonly bodyArrived: boolean
  /** The body of the response, with back-pressure. It closes when the client disconnects. */
  readonly out: Writable
  /** Where the connection comes from. */
  readonly peer: Peer
  /** `host:port` of this end of the connection. */
  readonly localAddress: string
  /** The status of the head that was sent. */
  readonly status: number
  readonly headSent: boolean
  /** Whether the connection is closed. */
  readonly isGone: boolean
  /** Whether earlier responses of the same connection are not complete (pipelining). */
  readonly isBehind: boolean
  /** Resolves when the earlier responses are complete, or the client disconnects. */
  turn(): Promise<void>
  /** Sends the head; `headers` alternate names and values. `bodyUnread`: the rest of the request's body will not be read. */
  head(status: number, headers: string[], bodyUnread?: boolean): void
  /** Flushes the head before any of the body is written. */
  flushHead(): void
  /** Ends the response with a whole body. */
  end(body: Buffer): void
  /** Aborts the response, so that the client does not take it for complete. */
  cut(): void
  /** The sink for watch events, once the head is sent. */
  events(): WatchSink
  /** Set when the client offers to upgrade to a WebSocket: accepts the offer, in place of `head`. */
  readonly upgrade?: () => Promise<WatchSink>
}
