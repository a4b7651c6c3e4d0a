// OpenID Connect discovery: the documents by which other services learn to verify this server's tokens.

import { ISSUER } from './service-account-tokens.ts'
import type { TokenKeys } from './token.ts'

/** `base` is the URL at which clients reach this server. */
export function openidConfiguration(base: string): object {
  return {
    issuer: ISSUER,
    jwks_uri: `${base}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

export function openidKeys(keys: TokenKeys): object {
  return { keys: keys.jwks() }
}
