// Decides the response to a request for an OpenAPI document: the document, 304, or a redirect to the current hash.
// Clients cache a document that they requested by its current hash for ever.

import { matchesEtag } from '../represent/etag.ts'
import type { OpenApiDocument } from './openapi.ts'

export interface OpenApiRequest {
  /** The `hash` query parameter. */
  readonly hash?: string
  /** The If-None-Match header. */
  readonly ifNoneMatch?: string
}

export interface OpenApiResponse {
  readonly status: 200 | 301 | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

const YEAR = 365 * 24 * 60 * 60 * 1000

/** `now` is milliseconds since the epoch. */
export function openApiResponse(request: OpenApiRequest, document: OpenApiDocument, now: number): OpenApiResponse {
  const etag = `"${document.hash}"`
  const headers: Record<string, string> = { etag, vary: 'Accept', 'cache-control': 'no-cache, private' }
  if (request.hash) {
    if (request.hash !== document.hash) {
      return { status: 301, headers: { ...headers, location: `${document.path}?hash=${document.hash}` } }
    }
    headers['cache-control'] = 'public, immutable'
    headers.expires = new Date(now + YEAR).toUTCString()
  }
  if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, headers }
  return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body: document.body }
}
