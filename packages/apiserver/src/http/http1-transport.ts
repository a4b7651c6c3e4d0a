// The transport of a node:http request, with what only HTTP/1.1 has: pipelined responses, chunked encoding, connections
// that close after a response, upgrades to a WebSocket.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transport } from '../exchange/transport.ts'
import type { Peer } from '../identity/peer.ts'
import type { WatchSink } from '../watch/watch-sink.ts'
import { ChunkedSink } from './chunked-sink.ts'

/** A body of at most this many bytes is passed as latin1 text, which node:http sends in one write with the head. */
const SMALL = 8 << 10

/** Of the server, shared by all its transports. */
export interface ServerLifetime {
  /** Clients shall open their next connection elsewhere. */
  isDraining: boolean
}

export class Http1Transport implements Transport {
  readonly message: IncomingMessage
  readonly out: ServerResponse
  readonly peer: Peer
  readonly #lifetime: ServerLifetime

  constructor(message: IncomingMessage, out: ServerResponse, peer: Peer, lifetime: ServerLifetime) {
    this.message = message
    this.out = out
    this.peer = peer
    this.#lifetime = lifetime
  }

  /** A request without a body is complete before its parser says so. */
  get bodyArrived(): boolean {
    const { complete, headers } = this.message
    return complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
  }

  get localAddress(): string {
    const { localAddress, localPort } = this.message.socket
    return `${localAddress}:${localPort}`
  }

  get status(): number {
    return this.out.statusCode
  }

  get headSent(): boolean {
    return this.out.headersSent
  }

  get isGone(): boolean {
    return this.message.socket.destroyed
  }

  /** A pipelined request has no socket until the responses before it are sent. */
  get isBehind(): boolean {
    return this.out.socket === null
  }

  turn(): Promise<void> {
    const { out } = this
    if (out.socket || out.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      out.once('socket', () => resolve())
      out.once('close', () => resolve())
    })
  }

  head(status: number, headers: string[], bodyUnread = false): void {
    // The unread rest of the body would be parsed as the next request.
    if (bodyUnread || this.#lifetime.isDraining) headers.push('Connection', 'close')
    this.out.writeHead(status, headers)
  }

  flushHead(): void {
    this.out.flushHeaders()
  }

  end(body: Buffer): void {
    if (body.length <= SMALL) this.out.end(body.toString('latin1'), 'latin1')
    else this.out.end(body)
  }

  cut(): void {
    this.out.destroy()
  }

  events(): WatchSink {
    return new ChunkedSink(this.out)
  }
}

/** A request that offers to upgrade to a WebSocket. If no handler accepts the offer it is an ordinary request. */
export class UpgradeTransport extends Http1Transport {
  readonly #head: Buffer

  /** `head` holds the bytes that followed the request's head. */
  constructor(message: IncomingMessage, out: ServerResponse, peer: Peer, lifetime: ServerLifetime, head: Buffer) {
    super(message, out, peer, lifetime)
    this.#head = head
  }

  /** After an upgrade the response has no connection any more. */
  override cut(): void {
    this.message.socket.destroy()
  }

  readonly upgrade = async (): Promise<WatchSink> => {
    this.out.detachSocket(this.message.socket)
    this.out.statusCode = 101
    // Few servers ever open one: the package ws loads with the first.
    const { openWebSocket } = await import('./websocket-sink.ts')
    return openWebSocket(this.message, this.#head)
  }
}
