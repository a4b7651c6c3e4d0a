// A webhook for tests: a real HTTPS server with a certificate of its own authority, which answers as the test says.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type Authority, issueCertificate, makeAuthority } from '@homeostat/pki'
import { onTestFinished } from 'vitest'
import type { Body } from './body.ts'

const HOUR = 3_600_000
export const HOOK_AUTHORITY = makeAuthority(Date.now())

export interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The whole review. */
  readonly body: Body
  /** Its request. */
  readonly request: Body
}

export interface TestWebhook {
  readonly port: number
  readonly url: string
  /** Base64, for a clientConfig. */
  readonly caBundle: string
  readonly calls: readonly Call[]
  /** How many connections were made. */
  readonly connections: number
  /** Resolves when so many calls have arrived. */
  called(times: number): Promise<void>
  close(): Promise<void>
}

export type Answer = (call: Call, response: ServerResponse) => unknown

export interface WebhookServerOptions {
  readonly authority?: Authority
  readonly dnsNames?: readonly string[]
  readonly addresses?: readonly string[]
  readonly notAfter?: Date
}

/** `answer` returns the body of the answer, or writes the response itself and returns undefined. */
export async function webhookServer(answer: Answer, options: WebhookServerOptions = {}): Promise<TestWebhook> {
  const { authority = HOOK_AUTHORITY, dnsNames = ['localhost'], addresses = ['127.0.0.1'], notAfter } = options
  const until = notAfter ?? new Date(Date.now() + HOUR)
  const notBefore = new Date(Math.min(until.getTime(), Date.now()) - HOUR)
  const issued = issueCertificate(authority, {
    commonName: 'hook',
    usage: 'server',
    dnsNames,
    addresses,
    notBefore,
    notAfter: until,
  })
  const calls: Call[] = []
  let connections = 0
  let waiting: { readonly times: number; readonly resolve: () => void }[] = []
  const server = createServer({ cert: issued.certificate, key: issued.key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body
    const call = { path: request.url ?? '', headers: request.headers, body, request: body.request as Body }
    calls.push(call)
    waiting = waiting.filter(({ times, resolve }) => calls.length < times || void resolve())
    const result = await answer(call, response)
    if (result === undefined) return
    response.setHeader('content-type', 'application/json')
    response.end(typeof result === 'string' ? result : JSON.stringify(result))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  onTestFinished(close)
  return {
    port,
    url: `https://127.0.0.1:${port}/hook`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    calls,
    get connections() {
      return connections
    },
    called: (times) =>
      calls.length >= times ? Promise.resolve() : new Promise((resolve) => waiting.push({ times, resolve })),
    close,
  }
}

/** An AdmissionReview that answers the call. */
export function verdict({ body, request }: Call, response: object = {}): object {
  return {
    apiVersion: body.apiVersion,
    kind: 'AdmissionReview',
    response: { uid: request.uid, allowed: true, ...response },
  }
}

/** A response with a JSON patch. */
export function patching(call: Call, operations: readonly object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return verdict(call, { patch, patchType: 'JSONPatch' })
}
