// Protects the server from foreign web pages in a browser on this machine: from DNS rebinding (a name that resolves to
// 127.0.0.1) and from other origins, including other ports of localhost. The router calls it for every request. Clients
// other than browsers send none of these headers but Host.

import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, type StatusError } from '@homeostat/meta'
import type { ApiRequest } from '../exchange/api-request.ts'

export class PageGuard {
  readonly #allowed: ReadonlySet<string>
  /** Accepted hosts, memoized: every request carries one of a few. Bounded, as clients may send any. */
  readonly #hosts = new Set<string>()
  readonly #secureHosts = new Set<string>()
  #served: ServedNames = NO_NAMES

  /** Further origins whose pages may use the server, such as http://localhost:5173. */
  constructor(allowedOrigins: readonly string[] = []) {
    this.#allowed = new Set(allowedOrigins)
  }

  /** Sets the names of the serving certificate, which are good hosts over TLS. */
  serve(names: ServedNames): void {
    this.#served = names
    this.#secureHosts.clear()
  }

  /** The error to refuse the request with, or undefined. A visit of a page may come from anywhere. */
  refuse({ headers, peer }: Pick<ApiRequest, 'headers' | 'peer'>, isVisit = false): StatusError | undefined {
    const { host, origin, 'sec-fetch-site': site } = headers
    const secure = peer.kind === 'tls'
    if (host !== undefined && !(secure ? this.#isServed(host) : this.#isLoopback(host)))
      return refusal(
        `the Host header says ${JSON.stringify(host)}; this server answers only to localhost, 127.0.0.1 and [::1]` +
          (secure ? ' and to the names of its certificate; --tls-san adds one' : ''),
      )
    if (origin !== undefined) {
      if (this.#allowed.has(origin)) return undefined
      if (origin !== `${secure ? 'https' : 'http'}://${host?.toLowerCase()}`)
        return refusal(`a page from ${JSON.stringify(origin)} may not use this server; --allow-origin says which may`)
    }
    // Only browsers send it. It covers a GET for an image or a link, which carries no Origin.
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit)
      return refusal('a page from another origin may not use this server; --allow-origin says which may')
    return undefined
  }

  /** The CORS headers that let a page of an allowed origin read the response. */
  answerHeaders({ origin }: IncomingHttpHeaders): readonly string[] {
    if (this.#allowed.size === 0) return NONE
    if (origin === undefined || !this.#allowed.has(origin)) return VARY
    return [...VARY, 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED]
  }

  /** The headers of the response to a CORS preflight request of an allowed origin; undefined for any other request. */
  preflight({ method, headers }: Pick<ApiRequest, 'method' | 'headers'>): readonly string[] | undefined {
    const { origin, 'access-control-request-method': asked } = headers
    if (method !== 'OPTIONS' || asked === undefined || origin === undefined || !this.#allowed.has(origin))
      return undefined
    const answer = ['Access-Control-Allow-Methods', METHODS, 'Access-Control-Max-Age', MAX_AGE_SECONDS]
    const names = headers['access-control-request-headers']
    if (names !== undefined) answer.push('Access-Control-Allow-Headers', names)
    if (headers['access-control-request-private-network'] === 'true')
      answer.push('Access-Control-Allow-Private-Network', 'true')
    return answer
  }

  #isLoopback(authority: string): boolean {
    return memoized(this.#hosts, authority, isLoopbackName)
  }

  #isServed(authority: string): boolean {
    return memoized(this.#secureHosts, authority, (name) => isLoopbackName(name) || this.#served.includes(name))
  }
}

function memoized(accepted: Set<string>, authority: string, isGood: (name: string) => boolean): boolean {
  if (accepted.has(authority)) return true
  const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(authority)
  const ok = name !== null && isGood((name[1] ?? name[2] ?? '').toLowerCase())
  if (ok && accepted.size < MAX_HOSTS) accepted.add(authority)
  return ok
}

/** Host names and addresses, in lower case. */
export interface ServedNames {
  includes(name: string): boolean
}

const NO_NAMES: ServedNames = []

const MAX_HOSTS = 64
const NONE: readonly string[] = []
const VARY = ['Vary', 'Origin']
const EXPOSED = 'Audit-Id, ETag, Retry-After, Warning'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const MAX_AGE_SECONDS = '600'

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

function refusal(message: string): StatusError {
  return forbidden({ group: '', resource: '' }, message)
}
