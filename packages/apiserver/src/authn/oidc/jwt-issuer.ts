// One issuer of tokens that this server accepts: what `jwt` in an AuthenticationConfiguration describes, after it was checked.

export interface ClaimMapping {
  readonly claim: string
  readonly prefix: string
}

export interface JwtIssuer {
  /** The `iss` of its tokens, an https URL. */
  readonly url: string
  /** Where its discovery document is, if not below its URL. */
  readonly discoveryUrl?: string
  /** PEM; undefined trusts the authorities that Node trusts. */
  readonly certificateAuthority?: string
  /** A token has to name one of these. */
  readonly audiences: readonly string[]
  readonly username: ClaimMapping
  readonly groups?: ClaimMapping
  /** The claim with the user's uid. */
  readonly uid?: string
  /** Claims that have to have exactly this text. */
  readonly requiredClaims: ReadonlyMap<string, string>
}

/** Where the issuer describes itself. */
export function discoveryUrlOf({ url, discoveryUrl }: JwtIssuer): string {
  return discoveryUrl ?? `${url.replace(/\/$/, '')}/.well-known/openid-configuration`
}
