// Serves webhooks over HTTPS, with certificates of an authority of its own, which it renews while it runs. The API server
// gets the authority's certificate with the configuration.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { type Clock, type Log, messageOf } from '@homeostat/base'
import { readJson, writeJson } from '@homeostat/meta'
import { type Authority, issueCertificate, makeAuthority } from '@homeostat/pki'

export interface WebhookServerOptions {
  readonly host: string
  readonly port: number
  /** The names and addresses by which the API server reaches it. */
  readonly names: readonly string[]
  readonly clock: Clock
  readonly log: Log
  /** Undefined: nothing is there. */
  answer(path: string, review: unknown): Promise<object | undefined>
}

export interface WebhookServer {
  readonly port: number
  /** PEM. */
  readonly authority: string
  close(): Promise<void>
}

const HOUR_MS = 3_600_000
/** How long a certificate is valid, and when the next one is made. */
const VALID_MS = 24 * 90 * HOUR_MS
const RENEW_MS = 24 * 60 * HOUR_MS
/** A conversion sends 500 objects or 2 MiB; an admission one object twice, and its options. */
const MAX_BODY = 16 << 20

export async function serveWebhooks(options: WebhookServerOptions): Promise<WebhookServer> {
  const { host, port, clock } = options
  const authority = makeAuthority(clock.now(), 'homeostat-webhooks')
  // Loaded only by operators with webhooks.
  const { createServer } = process.getBuiltinModule('node:https')
  const server = createServer(certificateOf(authority, options), (request, response) => {
    void respond(request, response, options)
  })
  server.requestTimeout = 30_000
  server.maxConnections = 1000
  let cancel = () => {}
  const renew = () => {
    cancel = clock.setTimer(RENEW_MS, () => {
      server.setSecureContext(certificateOf(authority, options))
      renew()
    })
  }
  renew()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      cancel()
      reject(new Error(`webhooks cannot listen on ${host}:${port}: ${error.message}`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    authority: authority.certificate,
    close: () =>
      new Promise((resolve) => {
        cancel()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Valid from an hour ago, for servers whose clocks are behind. */
function certificateOf(authority: Authority, { names, clock }: WebhookServerOptions) {
  const { certificate, key } = issueCertificate(authority, {
    commonName: names[0] ?? 'webhooks',
    usage: 'server',
    dnsNames: names.filter((name) => isIP(name) === 0),
    addresses: names.filter((name) => isIP(name) > 0),
    notBefore: new Date(clock.now() - HOUR_MS),
    notAfter: new Date(clock.now() + VALID_MS),
  })
  return { cert: certificate, key }
}

async function respond(request: IncomingMessage, response: ServerResponse, { answer, log }: WebhookServerOptions) {
  const path = request.url ?? ''
  try {
    const text = request.method === 'POST' ? await bodyOf(request) : undefined
    const review = text === undefined ? undefined : await answer(path, readJson(text).value)
    if (review === undefined) return void response.writeHead(404).end('there is no such webhook')
    response.writeHead(200, { 'content-type': 'application/json' }).end(writeJson(review))
  } catch (error) {
    log.error({ err: error, path }, 'a webhook failed')
    if (!response.headersSent) response.writeHead(500).end(messageOf(error))
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error(`a review has more than ${MAX_BODY} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
