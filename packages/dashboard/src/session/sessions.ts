// Sessions of browsers, without a table: a cookie holds the sealed token, the page holds the other half and sends it as a header.
// A WebSocket, which cannot have headers, brings a ticket instead.

import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@homeostat/base'
import { seal, unseal } from './seal.ts'

/** The page sends its half in it. Having to set a header also keeps other origins' forms and images out. */
export const HALF_HEADER = 'x-homeostat-session'
/** A WebSocket offers this protocol with its ticket behind it, beside the one that it speaks. */
export const TICKET_PROTOCOL = 'ticket.homeostat.io.'

const SESSION_MS = 12 * 3600_000
const TICKET_MS = 10_000
/** More tickets than that in ten seconds are refused, so that what was used can be remembered. */
const MAX_USED = 4096
/** No token that a browser can send in a cookie is longer. */
const MAX_TOKEN = 3000

export interface SessionsOptions {
  readonly secret: Buffer
  /** In the cookie's name: browsers do not tell servers on other ports of a host apart. */
  readonly server: string
  readonly clock: Pick<Clock, 'now'>
}

export class Sessions {
  readonly #options: SessionsOptions
  /** Tickets that were used, and when they end anyway. */
  readonly #used = new Map<string, number>()

  constructor(options: SessionsOptions) {
    this.#options = options
  }

  /** The cookie and the half of a new session; undefined for what cannot be a token. */
  begin(token: string, secure: boolean): { readonly cookie: string; readonly half: string } | undefined {
    if (token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token)) return undefined
    const half = randomBytes(32).toString('base64url')
    const sealed = this.#seal(token, half, SESSION_MS, SESSION)
    return { cookie: this.#cookie(sealed, secure, SESSION_MS / 1000), half }
  }

  /** The cookie that ends the browser's session. */
  end(secure: boolean): string {
    return this.#cookie('', secure, 0)
  }

  /** The token of the request's session. */
  token(headers: IncomingHttpHeaders, secure: boolean): string | undefined {
    const half = headers[HALF_HEADER]
    if (typeof half !== 'string' || half.length > 64) return undefined
    const sealed = cookieOf(headers.cookie, this.#name(secure))
    return sealed === undefined ? undefined : this.#unseal(sealed, half, SESSION)
  }

  ticket(token: string): string {
    return this.#seal(token, '', TICKET_MS, TICKET)
  }

  /** The token of a ticket, once. */
  redeem(sent: string): string | undefined {
    // Several texts stand for the same bytes.
    const ticket = Buffer.from(sent, 'base64url').toString('base64url')
    const now = this.#options.clock.now()
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used)
    if (this.#used.has(ticket) || this.#used.size >= MAX_USED) return undefined
    const token = this.#unseal(ticket, '', TICKET)
    if (token !== undefined) this.#used.set(ticket, now + TICKET_MS)
    return token
  }

  #seal(token: string, half: string, ms: number, purpose: string): string {
    const until = this.#options.clock.now() + ms
    return seal(`${until} ${token}`, this.#options.secret, half, purpose)
  }

  #unseal(sealed: string, half: string, purpose: string): string | undefined {
    const text = unseal(sealed, this.#options.secret, half, purpose)
    if (text === undefined) return undefined
    const space = text.indexOf(' ')
    return Number(text.slice(0, space)) > this.#options.clock.now() ? text.slice(space + 1) : undefined
  }

  /** `__Host-`: only over TLS, by this host alone, for the whole of it. */
  #name(secure: boolean): string {
    return `${secure ? '__Host-' : ''}homeostat-${this.#options.server}`
  }

  #cookie(value: string, secure: boolean, seconds: number): string {
    const name = this.#name(secure)
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`
  }
}

const SESSION = 'session'
const TICKET = 'ticket'

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const text = part.trim()
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1)
  }
  return undefined
}
