// What a server does for the page, below /ui: its files, sessions, tickets, and the API under the session's token. It decides nothing
// about rights: a session is only another way to send a token.

import type { IncomingHttpHeaders } from 'node:http'
import type { Site, SiteAnswer, SiteRequest } from '@homeostat/apiserver'
import { type Clock, systemClock } from '@homeostat/base'
import { refusal } from './answers.ts'
import { BuiltPage } from './files/built-page.ts'
import { Logins } from './session/login.ts'
import type { Providers } from './session/providers.ts'
import { SessionPaths } from './session/session-paths.ts'
import { HALF_HEADER, Sessions, TICKET_PROTOCOL } from './session/sessions.ts'

export interface SiteOptions {
  /** Seals sessions; servers that shall accept each other's have the same. */
  readonly secret: Buffer
  /** Tells this server's cookies from those of others on the same host: letters and digits. */
  readonly server: string
  /** Where the page is, when it is not the one that was built with this program. */
  readonly page?: BuiltPage
  /** Refuses every request that could change something. */
  readonly readOnly?: boolean
  /** False: nobody logs in, since requests have credentials of their own. Default true. */
  readonly sessions?: boolean
  /** Where one may log in. Default: nowhere, by a token alone. */
  readonly providers?: Providers | undefined
  readonly clock?: Pick<Clock, 'now'>
}

export const SITE_PATH = '/ui'
const API = `${SITE_PATH}/api`
const CLUSTER_CREDENTIALS = 'this dashboard sends the credentials of its kubeconfig, and the cluster refuses them'
const READS = new Set(['GET', 'HEAD'])
/** Questions that are asked by POST. */
const QUESTIONS = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/v1\/self[a-z]+reviews(?:\?|$)/

export function openSite(options: SiteOptions): Site {
  const { secret, server, page = new BuiltPage(), readOnly = false, clock = systemClock } = options
  const hasSessions = options.sessions ?? true
  const sessions = new Sessions({ secret, server, clock })
  const logins = options.providers && new Logins({ providers: options.providers, secret, clock })
  const paths = new SessionPaths({ sessions, logins, clock })

  async function answer(request: SiteRequest): Promise<SiteAnswer> {
    const { url, method } = request
    const path = url.split('?', 1)[0] ?? ''
    if (path === API || path.startsWith(`${API}/`))
      return pass(request, takeAccept(url.slice(API.length) || '/', request.headers))
    const own = paths.find(request, path)
    if (own !== undefined)
      return hasSessions || path === `${SITE_PATH}/ticket` ? own(request) : refusal(403, CLUSTER_CREDENTIALS)
    if (!READS.has(method)) return refusal(405, 'this path is for reading')
    // A cluster's API is at this port only below the site.
    return page.answer(path.slice(SITE_PATH.length), request.headers, hasSessions ? '' : API)
  }

  function pass({ method, headers, secure }: SiteRequest, url: string): SiteAnswer {
    if (readOnly && !READS.has(method) && !(method === 'POST' && QUESTIONS.test(url)))
      return refusal(403, 'this dashboard was started with --read-only')
    // What the page does not send is not the page's.
    if (headers.authorization !== undefined) return refusal(400, 'below /ui a session is the only credential')
    const sent = takeTicket(headers)
    if (sent !== undefined) {
      const token = sessions.redeem(sent)
      return token === undefined ? refusal(401, 'the ticket is used or has ended') : { pass: url, token }
    }
    if (headers[HALF_HEADER] === undefined) return { pass: url }
    const token = sessions.token(headers, secure)
    return token === undefined ? refusal(401, 'the session has ended; log in again') : { pass: url, token }
  }

  return { path: SITE_PATH, api: API, answer }
}

/** Takes the ticket out of the offered protocols, which the API reads after it. */
function takeTicket(headers: IncomingHttpHeaders): string | undefined {
  const offered = headers['sec-websocket-protocol']
  if (offered === undefined || !offered.includes(TICKET_PROTOCOL)) return undefined
  const protocols = offered.split(',').map((protocol) => protocol.trim())
  const own = protocols.find((protocol) => protocol.startsWith(TICKET_PROTOCOL)) ?? ''
  headers['sec-websocket-protocol'] = protocols.filter((protocol) => !protocol.startsWith(TICKET_PROTOCOL)).join(', ')
  return own.slice(TICKET_PROTOCOL.length)
}

/** A WebSocket of a browser has no header of its choice: this parameter stands for `Accept`. */
function takeAccept(url: string, headers: IncomingHttpHeaders): string {
  const mark = url.indexOf('?')
  if (mark < 0 || !url.includes(ACCEPT, mark)) return url
  const query = new URLSearchParams(url.slice(mark + 1))
  headers.accept = query.get(ACCEPT) ?? headers.accept
  query.delete(ACCEPT)
  return `${url.slice(0, mark)}?${query}`
}

const ACCEPT = '_accept'
