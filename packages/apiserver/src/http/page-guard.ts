// Keeps web pages of others from using the server through a browser on this machine: neither by a name they control that
// resolves to 127.0.0.1, nor from another origin, be it another port of localhost. The router asks at every request. Programs send
// none of these headers but Host.

import type { IncomingHttpHeaders } from 'node:http'
import { forbidden, type StatusError } from '@homeostat/meta'
import type { ApiRequest } from '../exchange/api-request.ts'

export class PageGuard {
  readonly #allowed: ReadonlySet<string>
  /** The same few hosts come with every request; bounded, as anybody may send others. */
  readonly #hosts = new Set<string>()

  /** Origins whose pages may use the server beside its own, such as http://localhost:5173. */
  constructor(allowedOrigins: readonly string[] = []) {
    this.#allowed = new Set(allowedOrigins)
  }

  /** Why the request is refused, or undefined. */
  refuse(headers: IncomingHttpHeaders): StatusError | undefined {
    const { host, origin, 'sec-fetch-site': site } = headers
    if (host !== undefined && !this.#isLoopback(host))
      return refusal(
        `the Host header says ${JSON.stringify(host)}; this server answers only to localhost, 127.0.0.1 and [::1]`,
      )
    if (origin !== undefined) {
      if (this.#allowed.has(origin)) return undefined
      if (origin !== `http://${host?.toLowerCase()}`)
        return refusal(`a page from ${JSON.stringify(origin)} may not use this server; --allow-origin says which may`)
    }
    // Sent by browsers only. A GET for an image or a link says no origin.
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return refusal('a page from another origin may not use this server; --allow-origin says which may')
    return undefined
  }

  /** What the answer must say so that a page of an allowed origin can read it. */
  answerHeaders({ origin }: IncomingHttpHeaders): readonly string[] {
    if (this.#allowed.size === 0) return NONE
    if (origin === undefined || !this.#allowed.has(origin)) return VARY
    return [...VARY, 'Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED]
  }

  /** The answer to a browser's question whether a page of an allowed origin may send a request; undefined if it is none. */
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
    if (this.#hosts.has(authority)) return true
    const name = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(authority)
    const ok = name !== null && isLoopbackName((name[1] ?? name[2] ?? '').toLowerCase())
    if (ok && this.#hosts.size < MAX_HOSTS) this.#hosts.add(authority)
    return ok
  }
}

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
