// A transport that answers from a list, for tests of what happens above it.

import type { Transport, TransportRequest, TransportResponse } from '../src/api/transport.ts'

export interface ScriptedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Each request takes the next answer; an Error is thrown, a function is called. The last one stays. */
export function scriptedTransport(
  ...answers: (ScriptedResponse | Error | ((request: TransportRequest) => ScriptedResponse | Error))[]
): Transport & { readonly sent: TransportRequest[]; closed: boolean } {
  const sent: TransportRequest[] = []
  return {
    sent,
    closed: false,
    send(request) {
      sent.push(request)
      const next = answers.length > 1 ? answers.shift() : answers[0]
      const scripted = typeof next === 'function' ? next(request) : next
      return scripted === undefined || scripted instanceof Error
        ? Promise.reject(scripted)
        : Promise.resolve(responseOf(scripted))
    },
    close() {
      this.closed = true
    },
  }
}

export function responseOf({ status = 200, headers = {}, body = {} }: ScriptedResponse): TransportResponse {
  const chunks = Array.isArray(body) ? body : [typeof body === 'string' ? body : JSON.stringify(body)]
  return {
    status,
    header: (name) => headers[name.toLowerCase()],
    body: {
      async *[Symbol.asyncIterator]() {
        for (const chunk of chunks) {
          if (chunk instanceof Error) throw chunk
          yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array)
        }
      },
    },
  }
}
