// The stream of a watch over HTTP/2. Lines need no framing, so that all watchers share them.

import type { ServerHttp2Stream } from 'node:http2'
import { drained } from '../../exchange/drained.ts'
import type { WatchSink } from '../../watch/watch-sink.ts'

/** How long a client may take to read the end of its stream before it is reset. */
const LINGER_MS = 30_000

export class Http2Sink implements WatchSink {
  readonly framing = 'lines'
  readonly #stream: ServerHttp2Stream

  /** The stream must have sent its headers. */
  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream
  }

  frame(lines: Buffer): Buffer {
    return lines
  }

  send(framed: Buffer): void {
    if (!this.closed) this.#stream.write(framed)
  }

  get buffered(): number {
    return this.#stream.writableLength
  }

  get closed(): boolean {
    return this.#stream.destroyed || this.#stream.closed || this.#stream.writableEnded
  }

  drained(): Promise<void> {
    return this.closed || !this.#stream.writableNeedDrain ? Promise.resolve() : drained(this.#stream)
  }

  end(): void {
    if (this.closed) return
    this.#stream.end()
    const timer = setTimeout(() => this.#stream.destroy(), LINGER_MS)
    timer.unref()
    this.#stream.once('close', () => clearTimeout(timer))
  }

  onClose(listener: () => void): void {
    if (this.#stream.destroyed) listener()
    else this.#stream.once('close', listener)
  }
}
