// Which credentials a server accepts besides its own certificates and tokens. The command reads them from flags and files, and
// gives the server new ones when the files change.

import type { Log } from '@homeostat/base'
import { type AnonymousRule, HEALTH_AND_VERSION } from './anonymous.ts'
import { IssuerTokens } from './oidc/issuer-tokens.ts'
import type { JwtIssuer } from './oidc/jwt-issuer.ts'
import { type StaticToken, StaticTokens } from './static-tokens.ts'
import type { TokenAuthenticator } from './token-authenticator.ts'

export interface AuthenticationSettings {
  /** Default: none. */
  readonly staticTokens?: readonly StaticToken[] | undefined
  /** Issuers whose JWTs are accepted. Default: none. */
  readonly issuers?: readonly JwtIssuer[] | undefined
  /** Where requests over TLS may come without a credential. Default: health and version. */
  readonly anonymous?: AnonymousRule | undefined
}

export interface ConfiguredParts {
  readonly audiences: readonly string[]
  readonly now: () => number
  readonly log: Log
}

/** The authenticators that the settings ask for. */
export class Configured {
  readonly anonymous: AnonymousRule
  readonly staticTokens: TokenAuthenticator | undefined
  readonly issuers: IssuerTokens | undefined

  /** What `previous` knows of the same issuers is kept. */
  constructor(settings: AuthenticationSettings, parts: ConfiguredParts, previous?: Configured) {
    const { staticTokens = [], issuers = [], anonymous = HEALTH_AND_VERSION } = settings
    this.anonymous = anonymous
    this.staticTokens = staticTokens.length === 0 ? undefined : new StaticTokens(staticTokens, parts.audiences)
    this.issuers = issuers.length === 0 ? undefined : new IssuerTokens(issuers, parts, previous?.issuers)
    if (this.issuers === undefined) previous?.issuers?.close()
  }
}
