// The stream of a watch over HTTP/1.1. It frames chunks itself and writes them to the socket, so that all watchers share
// one framed buffer; node:http would frame them for each.

import type { ServerResponse } from 'node:http'
import type { WatchSink } from '../watch/watch-sink.ts'

/** More is written to a stream when its buffer has drained to this size. */
const LOW_WATER = 64 << 10
/** How long a client may take to read the end of its stream before it is disconnected. */
const LINGER_MS = 30_000

export class ChunkedSink implements WatchSink {
  readonly framing = 'chunked'
  readonly #response: ServerResponse
  #closed: boolean

  /** The response must have sent its headers, with chunked encoding. */
  constructor(response: ServerResponse) {
    this.#response = response
    this.#closed = response.destroyed
    response.flushHeaders()
    response.once('close', () => {
      this.#closed = true
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener()
    else this.#response.once('close', listener)
  }

  get buffered(): number {
    return this.#response.socket?.writableLength ?? 0
  }

  frame(lines: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${lines.length.toString(16)}\r\n`), lines, CRLF])
  }

  send(framed: Buffer): void {
    if (!this.#closed) this.#response.socket?.write(framed)
  }

  sendLines(lines: Buffer): void {
    const socket = this.#response.socket
    if (this.#closed || !socket) return
    socket.cork()
    socket.write(`${lines.length.toString(16)}\r\n`)
    socket.write(lines)
    socket.write(CRLF)
    socket.uncork()
  }

  drained(): Promise<void> {
    const socket = this.#response.socket
    if (this.#closed || !socket || socket.writableLength <= LOW_WATER) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = () => {
        socket.off('drain', finish)
        this.#response.off('close', finish)
        resolve()
      }
      socket.once('drain', finish)
      this.#response.once('close', finish)
    })
  }

  end(): void {
    if (this.#closed) return
    this.#response.end()
    const timer = setTimeout(() => this.#response.socket?.destroy(), LINGER_MS)
    timer.unref()
    this.#response.once('close', () => clearTimeout(timer))
  }
}

const CRLF = Buffer.from('\r\n')
