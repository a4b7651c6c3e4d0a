// Authenticates tokens of OIDC issuers. A token that was verified is remembered, so that its next requests are answered at
// once; its times are checked at every use, and its signature again when the issuer's keys change.

import { type Claims, unverifiedClaims } from '../claims.ts'
import type { Recognised, TokenAuthenticator, Verdict } from '../token-authenticator.ts'
import { IssuerKeys, type IssuerKeysParts } from './issuer-keys.ts'
import type { JwtIssuer } from './jwt-issuer.ts'
import { jwtUser, wrongTime } from './jwt-user.ts'

export interface IssuerTokensParts extends IssuerKeysParts {
  /** The audiences of this server, in token reviews: the tokens are good for those who ask for one of them. */
  readonly audiences: readonly string[]
}

interface Known {
  readonly issuer: JwtIssuer
  readonly keys: IssuerKeys
}

interface Verified {
  readonly claims: Claims
  readonly user: Recognised['user']
  readonly keys: IssuerKeys
  readonly generation: number
}

const MAX_VERIFIED = 1_000
/** Longer tokens are verified every time, which bounds the memory of those that are remembered. */
const MAX_REMEMBERED_LENGTH = 16 << 10
const MAX_LENGTH = 48 << 10

export class IssuerTokens implements TokenAuthenticator {
  readonly #parts: IssuerTokensParts
  readonly #issuers = new Map<string, Known>()
  readonly #verified = new Map<string, Verified>()

  /** Keys of issuers that `previous` has as well are taken over from it. */
  constructor(issuers: readonly JwtIssuer[], parts: IssuerTokensParts, previous?: IssuerTokens) {
    this.#parts = parts
    const former = previous === undefined ? new Map<string, Known>() : previous.#issuers
    for (const issuer of issuers) {
      const before = former.get(issuer.url)
      const keys = before && hasSameKeys(before.issuer, issuer) ? before.keys : new IssuerKeys(issuer, parts)
      this.#issuers.set(issuer.url, { issuer, keys })
    }
    const kept = new Set([...this.#issuers.values()].map(({ keys }) => keys))
    for (const { keys } of former.values()) if (!kept.has(keys)) keys.close()
  }

  recognise(token: string, audiences: readonly string[]): Verdict | Promise<Verdict> {
    const known = this.#verified.get(token)
    if (known !== undefined) {
      known.keys.freshen()
      if (known.generation === known.keys.generation) return this.#judge(known, audiences)
      this.#verified.delete(token)
    }
    if (token.length > MAX_LENGTH) return undefined
    const issuer = this.#issuers.get(String(unverifiedClaims(token)?.iss))
    return issuer === undefined ? undefined : this.#verify(token, issuer, audiences)
  }

  close(): void {
    for (const { keys } of this.#issuers.values()) keys.close()
  }

  async #verify(token: string, { issuer, keys }: Known, audiences: readonly string[]): Promise<Verdict> {
    const claims = await keys.verify(token)
    if (typeof claims === 'string') return claims
    const user = jwtUser(claims, issuer)
    if (typeof user === 'string') return user
    const verified = { claims, user, keys, generation: keys.generation }
    const verdict = this.#judge(verified, audiences)
    if (typeof verdict === 'object' && token.length <= MAX_REMEMBERED_LENGTH) this.#remember(token, verified)
    return verdict
  }

  #judge({ claims, user }: Verified, audiences: readonly string[]): Verdict {
    const wrong = wrongTime(claims, this.#parts.now())
    if (wrong !== undefined) return wrong
    const both = audiences.filter((audience) => this.#parts.audiences.includes(audience))
    return both.length === 0 ? 'oidc: tokens are valid for this server alone' : { user, audiences: both }
  }

  /** The token that was verified first makes room. */
  #remember(token: string, verified: Verified): void {
    if (this.#verified.size >= MAX_VERIFIED) {
      for (const oldest of this.#verified.keys()) {
        this.#verified.delete(oldest)
        break
      }
    }
    this.#verified.set(token, verified)
  }
}

function hasSameKeys(one: JwtIssuer, other: JwtIssuer): boolean {
  return one.discoveryUrl === other.discoveryUrl && one.certificateAuthority === other.certificateAuthority
}
