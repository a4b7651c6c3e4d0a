// The stream of a watch over a WebSocket: one text message per event. It frames messages itself and writes them to the
// socket, so that all watchers share one framed buffer; the library does the handshake, reads the client's frames
// and closes.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { badRequest } from '@homeostat/meta'
import { type WebSocket, WebSocketServer } from 'ws'
import { drained } from '../exchange/drained.ts'
import type { WatchSink } from '../watch/watch-sink.ts'

/** More is written to a stream when its buffer has drained to this size. */
const LOW_WATER = 64 << 10
/** How long a client may take to read the end of its stream before it is disconnected. */
const LINGER_MS = 30_000
const NORMAL_CLOSURE = 1000
/** The largest message that a client may send; a watch needs none. */
const MAX_RECEIVED = 64 << 10
/** How many frames, such as pings, a client may send per period. */
const MAX_FRAMES = 100
const FRAMES_MS = 10_000

/** Does the handshake. For an invalid request the library sends an HTTP error and closes the connection. */
export async function openWebSocket(request: IncomingMessage, head: Buffer): Promise<WebSocketSink> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_RECEIVED,
    // The sink answers pings, for as long as it takes them.
    autoPong: false,
    // Events are plain text under any name; the client wants to read one that it offered.
    handleProtocols: ([first]) => first ?? false,
  })
  const { socket } = request
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(badRequest('the WebSocket handshake failed')))
    server.handleUpgrade(request, socket, head, (opened) => resolve(new WebSocketSink(opened, socket)))
  })
}

export class WebSocketSink implements WatchSink {
  readonly framing = 'websocket'
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  #ended = false
  #frames = 0
  #since = 0
  #closed = false

  constructor(webSocket: WebSocket, socket: Socket) {
    this.#webSocket = webSocket
    this.#socket = socket
    // The library closes the connection after a malformed frame, with a code that says why.
    webSocket.on('error', () => {})
    webSocket.once('close', () => {
      this.#closed = true
    })
    webSocket.on('ping', (data: Buffer) => {
      if (this.#received()) webSocket.pong(data)
    })
    for (const frame of ['pong', 'message']) webSocket.on(frame, () => void this.#received())
  }

  /** Counts a frame; false when there have been too many. */
  #received(): boolean {
    if (this.#ended) return false
    const now = performance.now()
    if (now - this.#since > FRAMES_MS) {
      this.#since = now
      this.#frames = 0
    }
    if (++this.#frames <= MAX_FRAMES) return true
    this.#ended = true
    // No close handshake: the client's answer to it would come after all its other frames.
    this.#webSocket.terminate()
    return false
  }

  get closed(): boolean {
    return this.#closed
  }

  get buffered(): number {
    return this.#socket.writableLength
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener()
    else this.#webSocket.once('close', listener)
  }

  frame(lines: Buffer): Buffer {
    return frameLines(lines)
  }

  send(framed: Buffer): void {
    // Nothing may follow the close frame.
    if (!this.#closed && !this.#ended) this.#socket.write(framed)
  }

  drained(): Promise<void> {
    const socket = this.#socket
    if (this.#closed || socket.writableLength <= LOW_WATER) return Promise.resolve()
    return drained(socket)
  }

  end(): void {
    if (this.#closed || this.#ended) return
    this.#ended = true
    this.#webSocket.close(NORMAL_CLOSURE)
    const timer = setTimeout(() => this.#webSocket.terminate(), LINGER_MS)
    timer.unref()
    this.#webSocket.once('close', () => clearTimeout(timer))
  }
}

/** Each line, with its line break, becomes a text message. */
export function frameLines(lines: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < lines.length; ) {
    const end = lines.indexOf(NEWLINE, from) + 1 || lines.length
    parts.push(frameHeader(end - from), lines.subarray(from, end))
    from = end
  }
  return Buffer.concat(parts)
}

function frameHeader(length: number): Buffer {
  if (length < LENGTH_16) return Buffer.of(TEXT, length)
  if (length < 1 << 16) return Buffer.of(TEXT, LENGTH_16, length >> 8, length & 0xff)
  const header = Buffer.alloc(10)
  header[0] = TEXT
  header[1] = LENGTH_64
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

const NEWLINE = 10
/** The only frame of a text message. */
const TEXT = 0x81
const LENGTH_16 = 126
const LENGTH_64 = 127
