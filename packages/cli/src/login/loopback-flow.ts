// The authorization code flow with PKCE: a browser of this machine brings the code to a port of 127.0.0.1 that is open for
// this one login. What arrives there without the right state is refused, and the login goes on.

import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault } from '../fault.ts'
import { authorizationUrl, codeOf, exchangeCode, newSecrets } from './code-flow.ts'
import type { Issuer, IssuerEndpoints } from './issuer.ts'
import type { Tokens } from './tokens.ts'

export interface LoopbackOptions {
  readonly issuer: Issuer
  readonly endpoints: IssuerEndpoints
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Called with the URL to open in a browser. */
  show(url: string): void
  readonly signal: AbortSignal
}

const PATH = '/callback'

export async function loopbackFlow(options: LoopbackOptions): Promise<Tokens> {
  const { issuer, endpoints, clientId, scopes, signal } = options
  const { authorization } = endpoints
  if (authorization === undefined)
    throw new Fault(`${issuer.url} has no login by browser; try homeostat login --device`)
  const secrets = newSecrets()
  const returned = new ReturnedCode(secrets.state, issuer.url)
  const port = await returned.listen()
  try {
    const request = { clientId, redirect: `http://127.0.0.1:${port}${PATH}` }
    options.show(authorizationUrl(authorization, request, scopes, secrets))
    const code = await returned.wait(signal)
    return await exchangeCode({ issuer, token: endpoints.token, code }, request, secrets)
  } finally {
    returned.close()
  }
}

class ReturnedCode {
  readonly #state: string
  readonly #issuer: string
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly #code = Promise.withResolvers<string>()
  #isOver = false

  constructor(state: string, issuer: string) {
    this.#state = state
    this.#issuer = issuer
    this.#code.promise.catch(() => {})
  }

  listen(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#server.once('error', reject)
    this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port))
    return promise
  }

  wait(signal: AbortSignal): Promise<string> {
    const stop = () => this.#code.reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    return this.#code.promise.finally(() => signal.removeEventListener('abort', stop))
  }

  close(): void {
    this.#server.close()
    this.#server.closeIdleConnections()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { port } = this.#server.address() as AddressInfo
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    // A name that somebody points to this machine is not the address that the issuer was given.
    const isOurs = request.method === 'GET' && url.pathname === PATH && request.headers.host === `127.0.0.1:${port}`
    const { searchParams: query } = url
    if (!isOurs || this.#isOver || !isSame(query.get('state') ?? '', this.#state)) {
      end(response, 400, 'This is not the login that is expected here.')
      return
    }
    this.#isOver = true
    const code = codeOf(query, this.#issuer)
    if (typeof code === 'string') {
      this.#code.resolve(code)
      end(response, 200, 'You are logged in. This page can be closed.')
    } else {
      this.#code.reject(code)
      end(response, 400, 'The login failed. The command says why.')
    }
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`${text}\n`)
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
