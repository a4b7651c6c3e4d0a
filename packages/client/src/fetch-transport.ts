// A transport on fetch, for browsers. Credentials are headers or the browser's own, such as cookies.

import type { Transport, TransportRequest, TransportResponse } from './api/transport.ts'

export interface FetchTransportOptions {
  /** The server's URL. Its path is prepended to every request's. */
  readonly baseUrl: string
  /** Sent with every request; a function is called each time. */
  readonly headers?: Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>)
  /** Default: the global fetch. */
  readonly fetch?: typeof fetch
}

export function fetchTransport({ baseUrl, headers, fetch: send = fetch }: FetchTransportOptions): Transport {
  const base = baseUrl.replace(/\/+$/, '')
  const underWay = new Set<AbortController>()
  let closed = false
  return {
    server: base,
    async send(request) {
      if (closed) throw new Error('the transport was closed')
      request.signal?.throwIfAborted()
      const own = typeof headers === 'function' ? await headers() : headers
      const control = new AbortController()
      const abort = () => control.abort(request.signal?.reason)
      if (request.signal?.aborted) abort()
      request.signal?.addEventListener('abort', abort, { once: true })
      underWay.add(control)
      const end = () => {
        request.signal?.removeEventListener('abort', abort)
        underWay.delete(control)
      }
      try {
        const response = await send(base + request.path, fetchInit(request, own, control.signal))
        return answerOf(response, end, control)
      } catch (error) {
        end()
        throw control.signal.aborted ? control.signal.reason : error
      }
    },
    close() {
      closed = true
      for (const control of underWay) control.abort(new Error('the transport was closed'))
    },
  }
}

function fetchInit(
  { method, headers, body }: TransportRequest,
  own: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal,
): RequestInit {
  return {
    method,
    headers: { ...own, ...headers },
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    signal,
    // A cached list would be stale.
    cache: 'no-store',
  }
}

function answerOf(response: Response, end: () => void, control: AbortController): TransportResponse {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: {
      async *[Symbol.asyncIterator]() {
        const reader = response.body?.getReader()
        let isWhole = false
        try {
          for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
            yield next.value
          }
          isWhole = true
        } catch (error) {
          throw control.signal.aborted ? control.signal.reason : error
        } finally {
          end()
          // A browser closes the connection of a request that is aborted, also after its last byte.
          if (!isWhole) control.abort()
        }
      },
    },
  }
}
