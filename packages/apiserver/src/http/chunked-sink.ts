// A watch's stream over HTTP/1.1. Chunks are framed by hand and written to the socket, so that one framed buffer
// serves every watcher; node:http would frame and write each anew.

import type { ServerResponse } from 'node:http'
import type { WatchSink } from '../watch/watch-sink.ts'

/** How far a stream must have drained before more is written to it. */
const LOW_WATER = 64 << 10
/** A client that does not even take the end of its stream is cut off. */
const LINGER_MS = 30_000

export class ChunkedSink implements WatchSink {
  readonly #response: ServerResponse
  #closed: boolean

  /** The headers must have been written, with chunked encoding. */
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
