// Sends watches over WebSockets and everything else over another transport, for browsers: they open six HTTP/1.1 connections to a
// host over all tabs, and WebSockets are not counted among those.

import type { Transport, TransportRequest, TransportResponse } from './api/transport.ts'

/** What is used of a browser's WebSocket. */
export interface EventSocket {
  addEventListener(type: 'open' | 'close', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export interface WebSocketTransportOptions {
  /** Opens the socket of a watch; its messages are events as JSON, one each. */
  open(request: TransportRequest): EventSocket | Promise<EventSocket>
}

export function webSocketTransport(other: Transport, { open }: WebSocketTransportOptions): Transport {
  const sockets = new Set<EventSocket>()
  let closed = false
  return {
    ...(other.server !== undefined && { server: other.server }),
    async send(request) {
      if (closed || !isWatch(request)) return other.send(request)
      request.signal?.throwIfAborted()
      const socket = await open(request)
      sockets.add(socket)
      const events = new SocketEvents(socket, request.signal, () => sockets.delete(socket))
      // A browser does not say why a socket was refused; the same request over HTTP does.
      return (await events.opened) ? responseOf(events) : other.send(request)
    },
    close() {
      closed = true
      for (const socket of sockets) socket.close()
      other.close()
    },
  }
}

function isWatch({ method, path }: TransportRequest): boolean {
  return method === 'GET' && /[?&]watch=(?:1|true)(?:&|$)/.test(path)
}

function responseOf(body: AsyncIterable<Uint8Array>): TransportResponse {
  return { status: 200, header: () => undefined, body }
}

const encoder = new TextEncoder()

/** The messages of a socket as the lines of a body. */
class SocketEvents implements AsyncIterable<Uint8Array> {
  readonly opened: Promise<boolean>
  readonly #socket: EventSocket
  readonly #signal: AbortSignal | undefined
  #waiting: string[] = []
  #wake: (() => void) | undefined
  #ended = false

  constructor(socket: EventSocket, signal: AbortSignal | undefined, onEnd: () => void) {
    this.#socket = socket
    this.#signal = signal
    const abort = () => socket.close()
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    this.opened = new Promise((resolve) => {
      socket.addEventListener('open', () => resolve(true))
      socket.addEventListener('close', () => {
        signal?.removeEventListener('abort', abort)
        onEnd()
        this.#ended = true
        this.#wake?.()
        resolve(false)
      })
    })
    socket.addEventListener('message', ({ data }) => {
      this.#waiting.push(String(data))
      this.#wake?.()
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const texts = this.#waiting
        this.#waiting = []
        if (texts.length > 0) yield linesOf(texts)
        else if (this.#ended) break
        else await this.#more()
      }
      this.#signal?.throwIfAborted()
    } finally {
      this.#socket.close()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

/** Servers differ in whether an event ends with a line break. */
function linesOf(texts: readonly string[]): Uint8Array {
  return encoder.encode(texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join(''))
}
