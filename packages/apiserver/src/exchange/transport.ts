// The cut between an exchange and the connection that carries it. HTTP/1.1 is http/http1-transport.ts; a stream of HTTP/2
// would be another. Nothing in an exchange or a handler knows which of them it has.

import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import type { User } from '../identity/user.ts'
import type { WatchSink } from '../watch/watch-sink.ts'

/** The head of a request, and its body as a stream. Requests of node:http and of node:http2 are such messages as they are. */
export type RequestMessage = Readable &
  Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders' | 'httpVersion' | 'complete'>

export interface Transport {
  /** What comes in. */
  readonly message: RequestMessage
  /** Whether nothing of the request's body is left to come. */
  readonly bodyArrived: boolean
  /** What goes out after the head, with back-pressure. It closes when the client is gone. */
  readonly out: Writable
  /** Who speaks on a connection from inside this process; undefined for any other. */
  readonly localUser: User | undefined
  /** `host:port` of this end of the connection. */
  readonly localAddress: string
  /** Of the head that was sent. */
  readonly status: number
  readonly headSent: boolean
  /** Whether the connection is closed. */
  readonly isGone: boolean
  /** Whether answers before this one are still to be written to the same connection. */
  readonly isBehind: boolean
  /** Resolves when that is over, or the client is gone. */
  turn(): Promise<void>
  /** Names and values by turns. `bodyUnread`: the rest of the request's body is not going to be read. */
  head(status: number, headers: string[], bodyUnread?: boolean): void
  /** Sends the head although nothing follows it yet. */
  flushHead(): void
  /** Ends the answer with a body that is there as a whole. */
  end(body: Buffer): void
  /** Breaks the answer off, so that nobody takes what came of it for the whole. */
  cut(): void
  /** A stream of watch events, when the head is sent. */
  events(): WatchSink
  /** Set when the client asks to go on as a WebSocket: takes the offer, in place of `head`. */
  readonly upgrade?: () => Promise<WatchSink>
}
