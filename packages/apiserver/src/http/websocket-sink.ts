// A watch's stream over a WebSocket: one text message per event. Messages are framed by hand and written to the
// connection, so that one framed buffer serves every watcher; the library does the handshake, checks
// what the client sends and closes.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { badRequest } from '@homeostat/meta'
import type { WebSocket } from 'ws'
import { drained } from '../exchange/drained.ts'
import type { WatchSink } from '../watch/watch-sink.ts'

/** How far a stream must have drained before more is written to it. */
const LOW_WATER = 64 << 10
/** A client that does not even take the end of its stream is cut off. */
const LINGER_MS = 30_000
const NORMAL_CLOSURE = 1000
/** A watcher has nothing to say. */
const MAX_RECEIVED = 64 << 10
/** Frames that a watcher may send all the same, such as pings, in so long a time: each is work that brings nothing. */
const MAX_FRAMES = 100
const FRAMES_MS = 10_000

/** Answers the handshake. The library ends the connection itself, with an HTTP error, when the request is no good. */
export async function openWebSocket(request: IncomingMessage, head: Buffer): Promise<WebSocketSink> {
  // Loaded with the first upgrade: many servers never see one.
  const { WebSocketServer } = await import('ws')
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
  readonly #webSocket: WebSocket
  readonly #socket: Socket
  #ended = false
  #frames = 0
  #since = 0
  #closed = false

  constructor(webSocket: WebSocket, socket: Socket) {
    this.#webSocket = webSocket
    this.#socket = socket
    // A broken frame ends the connection, with a code that says why; there is nobody else to tell.
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
    // Without a word, for it would have to be read along with all that comes.
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
    // Nothing may follow the frame that says the end.
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
