// Sends a request of the page to a cluster and its response back. Only headers that the page needs pass in either direction.

import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Transport, TransportResponse } from '@homeostat/client'
import { PASSED } from '../headers.ts'

const SENT = ['accept', 'content-type', 'if-match', 'if-none-match'] as const
const RETURNED = ['content-type', 'etag', 'warning', 'retry-after', 'audit-id'] as const

export interface Forwarded {
  readonly transport: Transport
  /** Path and query at the cluster. */
  readonly path: string
  readonly body?: Buffer | undefined
}

export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { transport, path, body }: Forwarded,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answer = await transport.send({
    method: request.method ?? 'GET',
    path,
    headers: sentHeaders(request.headers),
    ...(body !== undefined && body.length > 0 && { body }),
    signal: gone.signal,
  })
  response.writeHead(answer.status, returnedHeaders(answer))
  try {
    for await (const piece of answer.body)
      if (!response.write(piece)) await once(response, 'drain', { signal: gone.signal })
    response.end()
  } catch (error) {
    // What has begun can only be broken off. A browser that has gone away needs nothing.
    if (!gone.signal.aborted) response.destroy(error as Error)
  }
}

export function sentHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    SENT.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

function returnedHeaders(answer: TransportResponse): string[] {
  const kept = RETURNED.flatMap((name) => {
    const value = answer.header(name)
    return value === undefined ? [] : [name, value]
  })
  return [...PASSED, ...kept]
}
