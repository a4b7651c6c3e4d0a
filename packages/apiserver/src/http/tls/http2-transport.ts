// The transport of one HTTP/2 stream. The stream itself is the request's message, since it is the body; node's own
// request and response objects for HTTP/2 cost as much as our whole answer to a GET.

import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { RequestMessage, Transport } from '../../exchange/transport.ts'
import type { Peer } from '../../identity/peer.ts'
import type { WatchSink } from '../../watch/watch-sink.ts'
import { Http2Sink } from './http2-sink.ts'

export interface Http2Request {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** Whether the request has no body. */
  readonly isComplete: boolean
  readonly peer: Peer
  /** `host:port` of this end of the connection. */
  readonly localAddress: string
}

export class Http2Transport implements Transport {
  readonly message: RequestMessage
  readonly out: ServerHttp2Stream
  readonly peer: Peer
  readonly localAddress: string
  readonly isBehind = false
  status = 200
  readonly #bodyless: boolean

  constructor({ stream, headers, rawHeaders, isComplete, peer, localAddress }: Http2Request) {
    this.out = stream
    this.peer = peer
    this.localAddress = localAddress
    this.#bodyless = isComplete
    // Handlers read `host`, and the page guard judges it.
    const authority = headers[':authority']
    if (authority !== undefined) headers.host = authority
    const fields = { method: headers[':method'], url: headers[':path'], headers, rawHeaders, httpVersion: '2.0' }
    this.message = Object.assign(stream, fields, { complete: isComplete }) as unknown as RequestMessage
  }

  get bodyArrived(): boolean {
    return this.#bodyless || this.out.readableEnded
  }

  get headSent(): boolean {
    return this.out.headersSent
  }

  get isGone(): boolean {
    return this.out.destroyed || this.out.closed
  }

  turn(): Promise<void> {
    return Promise.resolve()
  }

  head(status: number, headers: string[], bodyUnread = false): void {
    this.status = status
    if (this.isGone) return
    const fields: OutgoingHttpHeaders = { ':status': status }
    for (let at = 0; at < headers.length; at += 2) {
      const [name, value] = [headers[at] as string, headers[at + 1] as string]
      const before = fields[name]
      // Warnings and cookies come several at a time.
      fields[name] = before === undefined ? value : [before, value].flat().map(String)
    }
    this.out.respond(fields)
    // Otherwise the stream would stay open until the client has sent a body that nobody reads.
    if (bodyUnread) this.out.once('finish', () => this.out.close())
  }

  /** The head is a frame of its own, sent at once. */
  flushHead(): void {}

  end(body: Buffer): void {
    if (!this.isGone) this.out.end(body)
  }

  cut(): void {
    // Without an error the stream would end as if the response were complete.
    this.out.destroy(new Error('the response was cut off'))
  }

  events(): WatchSink {
    return new Http2Sink(this.out)
  }
}
