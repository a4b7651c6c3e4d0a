// What the site asks of whoever knows the OIDC providers of its server. The site itself makes no request.

export interface Providers {
  /** The issuers at which one may log in, by their URLs. */
  issuers(): readonly string[]
  /** Where to send the browser, which comes back to `redirect`. Rejects with an Error whose message is for the person. */
  begin(issuer: string, redirect: string): Promise<ProviderQuestion>
  /** The tokens for what the browser brought back in its address. Rejects as above. */
  finish(begun: BegunLogin, brought: URLSearchParams): Promise<ProviderTokens>
  /** Undefined when the provider does not accept the refresh token any more. Rejects as above when it cannot be asked. */
  refresh(issuer: string, refreshToken: string): Promise<ProviderTokens | undefined>
}

/** What is needed for the end of a login, and makes the code useless for others. */
export interface BegunLogin {
  readonly issuer: string
  readonly redirect: string
  readonly verifier: string
  readonly nonce: string
}

export interface ProviderQuestion {
  readonly url: string
  /** Comes back with the browser. */
  readonly state: string
  readonly begun: BegunLogin
}

export interface ProviderTokens {
  readonly idToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly refreshToken: string | undefined
}
