// Sessions of browsers, without a table: a cookie holds the sealed token, the page holds the other half and sends it as a header.
// A WebSocket, which cannot have headers, brings a ticket instead. What renews a session that a provider began is in a second cookie,
// sealed in the same way, which browsers send to one path alone.

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@homeostat/base'
import { SEAL_BYTES, seal, unseal } from './seal.ts'

/** The page sends its half in it. Having to set a header also keeps other origins' forms and images out. */
export const HALF_HEADER = 'x-homeostat-session'
/** A WebSocket offers this protocol with its ticket behind it, beside the one that it speaks. */
export const TICKET_PROTOCOL = 'ticket.homeostat.io.'

const SESSION_MS = 12 * 3600_000
const TICKET_MS = 10_000
/**
 * How many used tickets are remembered. Whoever reaches the port can make some, without a token that is good for anything: at the
 * bound the oldest is forgotten, which its holder could then use again in what is left of its time. Nobody is kept out.
 */
const MAX_USED = 16_384
/** No token that a browser can send in a cookie is longer. */
const MAX_TOKEN = 3000
/** With its name it is what browsers take for a cookie. */
const MAX_SEALED = 4040

/** Where the second cookie is sent to. */
export const RENEW_PATH = '/ui/renew'

/** What renews a session, at which issuer. */
export interface Renewal {
  readonly issuer: string
  readonly refreshToken: string
  /** When the person has to log in again whatever the issuer says. Default: twelve hours from now. */
  readonly until?: number
}

export interface SessionStart {
  /** When the token ends, which the session does not outlive. Default: not before the session. */
  readonly until?: number
  /** Of the session that is renewed, so that the browser's other tabs go on. Default: a new one. */
  readonly half?: string
  readonly renewal?: Renewal | undefined
}

export interface BegunSession {
  /** Each with its attributes. */
  readonly cookies: readonly string[]
  readonly half: string
  readonly until: number
  /** Whether it can be renewed. */
  readonly renewable: boolean
}

export interface SessionsOptions {
  readonly secret: Buffer
  /** In the cookie's name: browsers do not tell servers on other ports of a host apart. */
  readonly server: string
  readonly clock: Pick<Clock, 'now'>
}

export class Sessions {
  readonly #options: SessionsOptions
  /** Tickets that were used, and when they end anyway: the first ones first. */
  readonly #used = new Map<string, number>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** Undefined for what cannot be a token. */
  begin(token: string, secure: boolean, start: SessionStart = {}): BegunSession | undefined {
    if (token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token)) return undefined
    const half = start.half ?? randomBytes(32).toString('base64url')
    const longest = this.#options.clock.now() + SESSION_MS
    const until = Math.min(longest, start.until ?? longest)
    const cookies = [this.#cookie(this.#seal(token, half, until, SESSION), secure, until)]
    const { renewal } = start
    const { issuer, refreshToken, until: end = longest } = renewal ?? { refreshToken: undefined }
    const sealed = refreshToken && this.#seal(JSON.stringify([issuer, refreshToken]), half, end, RENEWAL)
    const renewable = sealed !== undefined && sealed.length <= MAX_SEALED
    if (renewable) cookies.push(this.#renewalCookie(sealed, secure, end))
    return { cookies, half, until, renewable }
  }

  /** The cookies that end the browser's session. */
  end(secure: boolean): readonly string[] {
    return [this.#cookie('', secure, 0), this.#renewalCookie('', secure, 0)]
  }

  /** The token of the request's session. */
  token(headers: IncomingHttpHeaders, secure: boolean): string | undefined {
    return this.#read(headers, this.#name(secure), SESSION)?.text
  }

  /** Until when the request's session lasts; undefined without one. */
  until(headers: IncomingHttpHeaders, secure: boolean): number | undefined {
    return this.#read(headers, this.#name(secure), SESSION)?.until
  }

  /** What renews the request's session, whether that has ended or not. */
  renewal(headers: IncomingHttpHeaders, secure: boolean): Required<Renewal> | undefined {
    const found = this.#read(headers, this.#renewalName(secure), RENEWAL)
    if (found === undefined) return undefined
    const [issuer, refreshToken] = JSON.parse(found.text) as [string, string]
    return { issuer, refreshToken, until: found.until }
  }

  ticket(token: string): string {
    return this.#seal(token, '', this.#options.clock.now() + TICKET_MS, TICKET)
  }

  /** The token of a ticket, once. */
  redeem(sent: string): string | undefined {
    // Several texts stand for the same bytes, of which the first are its own.
    const ticket = Buffer.from(sent, 'base64url').toString('base64url', 0, SEAL_BYTES)
    const now = this.#options.clock.now()
    for (const [used, until] of this.#used) {
      if (until > now && this.#used.size < MAX_USED) break
      this.#used.delete(used)
    }
    if (this.#used.has(ticket)) return undefined
    const token = this.#unseal(sent, '', TICKET)?.text
    if (token !== undefined) this.#used.set(ticket, now + TICKET_MS)
    return token
  }

  #read(headers: IncomingHttpHeaders, name: string, purpose: string) {
    const half = headers[HALF_HEADER]
    if (typeof half !== 'string' || half.length > 64) return undefined
    const sealed = cookieOf(headers.cookie, name)
    return sealed === undefined ? undefined : this.#unseal(sealed, half, purpose)
  }

  #seal(text: string, half: string, until: number, purpose: string): string {
    return seal(`${until} ${text}`, this.#options.secret, half, purpose)
  }

  #unseal(sealed: string, half: string, purpose: string) {
    const text = unseal(sealed, this.#options.secret, half, purpose)
    if (text === undefined) return undefined
    const space = text.indexOf(' ')
    const until = Number(text.slice(0, space))
    return until > this.#options.clock.now() ? { text: text.slice(space + 1), until } : undefined
  }

  /** `__Host-`: only over TLS, by this host alone, for the whole of it. */
  #name(secure: boolean): string {
    return `${secure ? '__Host-' : ''}homeostat-${this.#options.server}`
  }

  /** Of one path, which `__Host-` does not allow. */
  #renewalName(secure: boolean): string {
    return `${secure ? '__Secure-' : ''}homeostat-${this.#options.server}-renewal`
  }

  #cookie(value: string, secure: boolean, until: number): string {
    return `${this.#name(secure)}=${value}; Path=/; ${this.#attributes(secure, until)}`
  }

  #renewalCookie(value: string, secure: boolean, until: number): string {
    return `${this.#renewalName(secure)}=${value}; Path=${RENEW_PATH}; ${this.#attributes(secure, until)}`
  }

  #attributes(secure: boolean, until: number): string {
    const seconds = Math.max(0, Math.ceil((until - this.#options.clock.now()) / 1000))
    return `HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`
  }
}

const SESSION = 'session'
const TICKET = 'ticket'
const RENEWAL = 'renewal'

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const text = part.trim()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1)
  }
  return undefined
}
