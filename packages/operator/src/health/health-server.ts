// Serves /healthz, /readyz and /metrics over HTTP. It listens on loopback by default, reads only the path of a request,
// and never changes anything.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '@homeostat/base'

export interface HealthOptions {
  /** 0 picks a free port. */
  readonly port: number
  /** Default 127.0.0.1. */
  readonly host?: string
}

export interface HealthSources {
  /** Why the process is unhealthy; undefined when it is healthy. Default: always healthy. */
  readonly healthy?: () => string | undefined
  /** Why the operator is not ready yet; undefined when it is. */
  readonly ready: () => string | undefined
  readonly metrics: () => string
}

export interface HealthServer {
  readonly url: string
  close(): Promise<void>
}

interface HealthResponse {
  readonly status: number
  readonly body: string
  readonly type?: string
}

export async function serveHealth(options: HealthOptions, sources: HealthSources): Promise<HealthServer> {
  // An import of node:http reads all its exports, one of which loads an HTTP client: 50 ms for every program that imports operators.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    send(request, response, answerHealth(request.method ?? '', request.url ?? '', sources))
  })
  server.maxConnections = 100
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const why = whyNot(error)
      reject(new Error(`health cannot listen on ${host}:${options.port}: ${why}`, { cause: error }))
    })
    server.listen(options.port, host, resolve)
  })
  let closing: Promise<void> | undefined
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}`,
    close() {
      closing ??= close()
      return closing
    },
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has the port (EADDRINUSE); end it, or give health another port, 0 for any free one',
  EACCES: 'this user may not have the port (EACCES); give health one above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address (EADDRNOTAVAIL); give health another host',
}

function whyNot(error: Error & { readonly code?: string }): string {
  return PROBLEMS[error.code ?? ''] ?? error.message
}

/** Pure. The kubelet counts any status from 400 on as a failure. */
export function answerHealth(method: string, url: string, sources: HealthSources): HealthResponse {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'only GET is answered here\n' }
  const path = url.split('?', 1)[0]
  try {
    if (path === '/healthz') return verdict(sources.healthy?.())
    if (path === '/readyz') return verdict(sources.ready())
    if (path === '/metrics') return { status: 200, body: sources.metrics(), type: 'text/plain; version=0.0.4' }
  } catch (error) {
    return { status: 500, body: `${messageOf(error)}\n` }
  }
  return { status: 404, body: 'there are /healthz, /readyz and /metrics\n' }
}

function verdict(problem: string | undefined): HealthResponse {
  return problem === undefined ? { status: 200, body: 'ok' } : { status: 503, body: `${problem}\n` }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, type = 'text/plain' }: HealthResponse,
): void {
  request.resume()
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function portOf(address: { port: number } | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
