// Pages that are served beside the API, below one path. The router asks the site, which answers by itself or says for which
// request to the API this one stands. The site knows nothing of the API, and the router nothing of pages.

import type { IncomingHttpHeaders } from 'node:http'
import type { ApiRequest } from '../exchange/api-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { readBytes } from '../exchange/read-body.ts'

export interface Site {
  /** Such as `/ui`: the site gets this path and all below it. */
  readonly path: string
  /** Below it: what stands for requests to the API, and is no page. */
  readonly api: string
  answer(request: SiteRequest): Promise<SiteAnswer>
}

export interface SiteRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Whether it came over TLS. */
  readonly secure: boolean
  /** The whole body; rejects with a StatusError when it is too large. */
  body(): Promise<Buffer>
}

export type SiteAnswer =
  | {
      readonly status: number
      /** Names and values alternate. */
      readonly headers: readonly string[]
      readonly body?: Buffer
    }
  /** The request is meant for the API: with this URL, and with this bearer token if there is one. */
  | { readonly pass: string; readonly token?: string | undefined }

/**
 * Somebody follows a link to one of the site's pages, wherever that stands: in a chat, in a document. The page is the same for
 * everybody, and other origins neither read nor frame it.
 */
export function isVisit(site: SitePaths, { method, pathname, headers }: Visit): boolean {
  if (method !== 'GET' || !isBelow(site, { pathname }) || isBelow({ path: site.api }, { pathname })) return false
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

export type SitePaths = Pick<Site, 'path' | 'api'>

interface Visit {
  readonly method: string
  readonly pathname: string
  readonly headers: IncomingHttpHeaders
}

/** Whether the site has the path. */
export function isBelow({ path }: Pick<Site, 'path'>, { pathname }: Pick<ApiRequest, 'pathname'>): boolean {
  return pathname.startsWith(path) && (pathname.length === path.length || pathname[path.length] === '/')
}

/** Of a site's own requests, such as one with a token. They come before authentication, so that anybody may send them. */
const MAX_BODY = 16_384

/** Answers the request, or turns its message into the one that it stands for and returns true: then it is the router's. */
export async function answerOrPass(site: Site, { request, response }: Exchange): Promise<boolean> {
  const { method, headers, peer, message } = request
  const answer = await site.answer({
    method,
    url: message.url ?? site.path,
    headers,
    secure: peer.kind === 'tls',
    body: () => readBytes(request, MAX_BODY),
  })
  if ('pass' in answer) {
    message.url = answer.pass
    if (answer.token !== undefined) headers.authorization = `Bearer ${answer.token}`
    return true
  }
  const { status, headers: fields, body } = answer
  if (body === undefined) response.sendEmpty(status, fields)
  else response.sendPage(status, fields, body)
  return false
}
