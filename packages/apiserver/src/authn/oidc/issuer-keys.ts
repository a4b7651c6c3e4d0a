// The public keys of one issuer: read at first use, again after a while and when a token names a key that is not among them, at
// most once in a few seconds. While the issuer cannot be reached the keys that are known stay in use.

import { type Log, messageOf } from '@homeostat/base'
import { isObject, writeJson } from '@homeostat/meta'
import type { JSONWebKeySet, LocalJWKSet } from 'jose'
import type { Claims } from '../claims.ts'
import { httpsJson } from './https-json.ts'
import { discoveryUrlOf, type JwtIssuer } from './jwt-issuer.ts'

export interface IssuerKeysParts {
  readonly now: () => number
  readonly log: Log
}

/** Asymmetric algorithms alone: no public key can be taken for the secret of an HMAC. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512']
const MAX_AGE_MS = 600_000
/** Tokens with invented key names and failing issuers cause no more requests than this. */
const TRY_EVERY_MS = 10_000
const MAX_KEYS = 100

export class IssuerKeys {
  readonly #issuer: JwtIssuer
  readonly #parts: IssuerKeysParts
  readonly #ending = new AbortController()
  #keys: LocalJWKSet | undefined
  #text = ''
  #triedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined
  /** Grows whenever the keys change. */
  generation = 0

  constructor(issuer: JwtIssuer, parts: IssuerKeysParts) {
    this.#issuer = issuer
    this.#parts = parts
  }

  /** Begins to read keys that are old, without waiting for them. */
  freshen(): void {
    if (this.#parts.now() - this.#triedAt >= MAX_AGE_MS) void this.#load()
  }

  /** The claims of a token that the issuer signed, or why it did not. */
  async verify(token: string): Promise<Claims | string> {
    if (this.#keys === undefined) await this.#loadAgain()
    else this.freshen()
    const first = await this.#verifyNow(token)
    if (first !== NO_SUCH_KEY || !(await this.#loadAgain())) return first
    return this.#verifyNow(token)
  }

  /** Ends a request that is under way. */
  close(): void {
    this.#ending.abort()
  }

  async #verifyNow(token: string): Promise<Claims | string> {
    const keys = this.#keys
    if (keys === undefined) return 'oidc: the keys of the issuer could not be read'
    // A server without issuers does not load this package.
    const { compactVerify, errors } = await import('jose')
    try {
      const { payload } = await compactVerify(token, keys, { algorithms: ALGORITHMS })
      const claims: unknown = JSON.parse(Buffer.from(payload).toString())
      return isObject(claims) ? claims : 'oidc: the claims are no object'
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return NO_SUCH_KEY
      return `oidc: ${messageOf(error)}`
    }
  }

  /** False when it was tried a moment ago. */
  async #loadAgain(): Promise<boolean> {
    if (this.#loading === undefined && this.#parts.now() - this.#triedAt < TRY_EVERY_MS) return false
    await this.#load()
    return true
  }

  #load(): Promise<void> {
    this.#triedAt = this.#parts.now()
    this.#loading ??= this.#read()
      .catch((error: unknown) => {
        if (this.#ending.signal.aborted) return
        const issuer = this.#issuer.url
        this.#parts.log.warn({ issuer, reason: messageOf(error) }, 'the keys of a token issuer could not be read')
      })
      .finally(() => {
        this.#loading = undefined
      })
    return this.#loading
  }

  async #read(): Promise<void> {
    const { url, certificateAuthority: ca } = this.#issuer
    const options = { ca, signal: this.#ending.signal }
    const place = discoveryUrlOf(this.#issuer)
    const document = await httpsJson(place, options)
    const { issuer, jwks_uri: keysUrl } = isObject(document) ? document : {}
    if (issuer !== url) throw new Error(`${place} describes the issuer ${writeJson(issuer)}, not ${url}`)
    if (typeof keysUrl !== 'string') throw new Error(`${place} names no jwks_uri`)
    const found = await httpsJson(keysUrl, options)
    if (!isObject(found) || !Array.isArray(found.keys)) throw new Error(`${keysUrl} has no list of keys`)
    if (found.keys.length > MAX_KEYS) throw new Error(`${keysUrl} has more than ${MAX_KEYS} keys`)
    const text = writeJson(found)
    if (text === this.#text) return
    // Late, as above.
    const { createLocalJWKSet } = await import('jose')
    this.#keys = createLocalJWKSet(found as unknown as JSONWebKeySet)
    this.#text = text
    this.generation++
  }
}

const NO_SUCH_KEY = 'oidc: the issuer has no key that fits the token'
