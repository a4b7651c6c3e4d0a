// The paths by which a browser gets a session, keeps it and ends it. The site asks for every request below /ui.

import type { SiteRequest } from '@homeostat/apiserver'
import { json, type OwnAnswer, refusal } from '../answers.ts'
import { PRIVATE } from '../headers.ts'
import { LoginRefused, type Logins } from './login.ts'
import { type BegunSession, HALF_HEADER, RENEW_PATH, type Sessions } from './sessions.ts'

/** Where a provider sends the browser back to: a page like any other, which ends the login. */
const LOGIN_PATH = '/ui/login'
/** A session that lasts so much longer is not renewed yet: another tab was faster. */
const FRESH_MS = 60_000

type Handler = (request: SiteRequest) => OwnAnswer | Promise<OwnAnswer>

export interface SessionPathsParts {
  readonly sessions: Sessions
  /** Undefined: nobody logs in at a provider. */
  readonly logins: Logins | undefined
  readonly clock: { now(): number }
}

export class SessionPaths {
  readonly #parts: SessionPathsParts
  readonly #handlers: Readonly<Record<string, Handler>> = {
    'GET /ui/session': () => json(200, { issuers: this.#parts.logins?.issuers ?? [] }),
    'POST /ui/session': (request) => this.#beginByToken(request),
    'DELETE /ui/session': ({ secure }) => this.#end(secure),
    'POST /ui/ticket': (request) => this.#ticket(request),
    [`POST ${LOGIN_PATH}/begin`]: (request) => this.#beginLogin(request),
    [`POST ${LOGIN_PATH}/finish`]: (request) => this.#finishLogin(request),
    [`POST ${RENEW_PATH}`]: (request) => this.#renew(request),
  }

  constructor(parts: SessionPathsParts) {
    this.#parts = parts
  }

  /** What answers the request; undefined when the path is none of these. */
  find({ method }: SiteRequest, path: string): Handler | undefined {
    const handler = this.#handlers[`${method} ${path}`]
    return handler && ((request) => answered(handler, request))
  }

  async #beginByToken(request: SiteRequest): Promise<OwnAnswer> {
    const { token } = await fieldsOf(request)
    const begun = token === undefined ? undefined : this.#parts.sessions.begin(token.trim(), request.secure)
    return begun === undefined ? refusal(400, 'the body must be {"token": "…"}') : this.#begun(begun)
  }

  #end(secure: boolean): OwnAnswer {
    return { status: 204, headers: [...PRIVATE, ...setCookies(this.#parts.sessions.end(secure))] }
  }

  /** Of a connection without a session, which needs none either. */
  #ticket({ headers, secure }: SiteRequest): OwnAnswer {
    if (headers[HALF_HEADER] === undefined) return json(200, {})
    const { sessions } = this.#parts
    const token = sessions.token(headers, secure)
    if (token === undefined) return refusal(401, 'the session has ended; log in again')
    return json(200, { ticket: sessions.ticket(token) })
  }

  async #beginLogin(request: SiteRequest): Promise<OwnAnswer> {
    const { issuer } = await fieldsOf(request)
    const { host } = request.headers
    if (issuer === undefined || host === undefined) return refusal(400, 'the body must be {"issuer": "…"}')
    // The router has compared the host with the names of this server.
    const redirect = `${request.secure ? 'https' : 'http'}://${host}${LOGIN_PATH}`
    return json(200, await this.#logins().begin(issuer, redirect))
  }

  async #finishLogin(request: SiteRequest): Promise<OwnAnswer> {
    const { kept, answer } = await fieldsOf(request)
    if (kept === undefined || answer === undefined)
      return refusal(400, 'the body must be {"kept": "…", "answer": "the query of the address"}')
    const { issuer, idToken, expiresAt, refreshToken } = await this.#logins().finish(kept, answer)
    const renewal = refreshToken === undefined ? undefined : { issuer, refreshToken }
    const begun = this.#parts.sessions.begin(idToken, request.secure, { until: expiresAt, renewal })
    return begun === undefined ? tooLong(issuer, idToken) : this.#begun(begun)
  }

  async #renew(request: SiteRequest): Promise<OwnAnswer> {
    const { headers, secure } = request
    const { sessions, clock } = this.#parts
    const until = sessions.until(headers, secure)
    const renewal = sessions.renewal(headers, secure)
    if (until !== undefined && until - clock.now() > FRESH_MS)
      return json(200, { seconds: this.#secondsTo(until), renewable: renewal !== undefined })
    const half = headers[HALF_HEADER]
    if (renewal === undefined || typeof half !== 'string') return refusal(401, ENDED)
    const tokens = await this.#logins().refresh(renewal.issuer, renewal.refreshToken)
    if (tokens === undefined) return refusal(401, ENDED)
    const { idToken, expiresAt, refreshToken = renewal.refreshToken } = tokens
    const begun = sessions.begin(idToken, secure, { until: expiresAt, half, renewal: { ...renewal, refreshToken } })
    return begun === undefined ? tooLong(renewal.issuer, idToken) : this.#begun(begun)
  }

  #begun({ half, cookies, until, renewable }: BegunSession): OwnAnswer {
    return json(200, { half, seconds: this.#secondsTo(until), renewable }, setCookies(cookies))
  }

  /** The page's clock need not agree with this one. */
  #secondsTo(until: number): number {
    return Math.floor((until - this.#parts.clock.now()) / 1000)
  }

  #logins(): Logins {
    const { logins } = this.#parts
    if (logins === undefined) throw new LoginRefused(400, 'this server has no provider to log in at')
    return logins
  }
}

async function answered(handler: Handler, request: SiteRequest): Promise<OwnAnswer> {
  try {
    return await handler(request)
  } catch (error) {
    if (error instanceof LoginRefused) return refusal(error.status, error.message)
    throw error
  }
}

const ENDED = 'the session has ended; log in again'

function tooLong(issuer: string, { length }: string): OwnAnswer {
  return refusal(
    502,
    `the ID token of ${issuer} has ${length} characters, more than fit into a cookie; let it name fewer claims or groups`,
  )
}

function setCookies(cookies: readonly string[]): string[] {
  return cookies.flatMap((cookie) => ['Set-Cookie', cookie])
}

/** The texts of a JSON object; without those fields when it is none. */
async function fieldsOf(request: SiteRequest): Promise<Readonly<Record<string, string | undefined>>> {
  const body = await request.body()
  try {
    const fields: unknown = JSON.parse(body.toString('utf8'))
    if (typeof fields !== 'object' || fields === null) return {}
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}
