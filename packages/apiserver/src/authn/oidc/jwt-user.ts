// From the claims of a verified token to its user, by the rules of its issuer. Pure: signatures are checked before, times at every
// use. A message says why a token is refused.

import { writeJson } from '@homeostat/meta'
import { AUTHENTICATED, type User } from '../../identity/user.ts'
import type { Claims } from '../claims.ts'
import type { JwtIssuer } from './jwt-issuer.ts'

/** The user, or a message. The caller has checked that `iss` is the issuer's. */
export function jwtUser(claims: Claims, issuer: JwtIssuer): User | string {
  const audiences = textsOf(claims.aud) ?? []
  if (!audiences.some((audience) => issuer.audiences.includes(audience)))
    return `oidc: expected an audience of ${writeJson(issuer.audiences)}, got ${writeJson(audiences)}`
  for (const [claim, value] of issuer.requiredClaims) {
    if (claimOf(claims, claim) !== value) return `oidc: required claim ${claim} is not ${writeJson(value)}`
  }
  const named = claimOf(claims, issuer.username.claim)
  if (typeof named !== 'string' || named === '') return `oidc: the claim ${issuer.username.claim} is no text`
  const verified = claims.email_verified
  if (issuer.username.claim === 'email' && verified !== undefined && verified !== true)
    return 'oidc: the email is not verified'
  const groups = groupsOf(claims, issuer)
  if (groups === undefined) return `oidc: the claim ${issuer.groups?.claim} is neither a text nor a list of texts`
  const uid = issuer.uid === undefined ? undefined : claimOf(claims, issuer.uid)
  if (uid !== undefined && typeof uid !== 'string') return `oidc: the claim ${issuer.uid} is no text`
  const username = issuer.username.prefix + named
  // Names below system: belong to this server. Kubernetes leaves that to rules in CEL; here it always holds.
  const reserved = [username, ...groups].find((name) => name.startsWith('system:'))
  if (reserved !== undefined) return `oidc: ${writeJson(reserved)} begins with system:, which no issuer may claim`
  const { jti } = claims
  return {
    username,
    groups: [...groups, AUTHENTICATED],
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(typeof jti === 'string' &&
      jti !== '' && { extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] } }),
  }
}

/** Why the token is not valid at this time, in milliseconds; undefined when it is. */
export function wrongTime({ exp, nbf }: Claims, now: number): string | undefined {
  const seconds = now / 1000
  if (typeof exp !== 'number' || seconds >= exp) return 'oidc: the token has expired'
  if (nbf !== undefined && (typeof nbf !== 'number' || seconds < nbf - CLOCK_LEEWAY_SECONDS))
    return 'oidc: the token is not valid yet'
  return undefined
}

/** The issuer's clock may be ahead of this one. */
const CLOCK_LEEWAY_SECONDS = 60

function groupsOf(claims: Claims, { groups }: JwtIssuer): string[] | undefined {
  if (groups === undefined) return []
  const given = claimOf(claims, groups.claim)
  if (given === undefined || given === null) return []
  return textsOf(given)?.map((group) => groups.prefix + group)
}

/** Only the token's own claims count, whatever an object inherits. */
function claimOf(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}

function textsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}
