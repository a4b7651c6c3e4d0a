// The tokens of a login, read from an issuer's answer. The ID token comes from the issuer itself over TLS, so its claims are
// compared and its signature is left to the server. Pure.

import { isObject, writeJson } from '@homeostat/meta'
import { Fault } from '../fault.ts'

export interface Tokens {
  readonly idToken: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly refreshToken: string | undefined
}

export interface Expected {
  readonly issuer: string
  readonly clientId: string
  /** Undefined where the flow has none. */
  readonly nonce?: string
}

/** Throws a Fault when the answer is not for this login. `former` stays when no other refresh token comes. */
export function readTokens(body: Readonly<Record<string, unknown>>, expected: Expected, former?: string): Tokens {
  const { id_token: idToken, refresh_token: refreshToken } = body
  if (typeof idToken !== 'string') throw new Fault(`${expected.issuer} gave no ID token; is the scope openid allowed?`)
  const { iss, aud, exp, nonce } = claimsOf(idToken, expected.issuer)
  if (iss !== expected.issuer) throw new Fault(`the ID token is of ${writeJson(iss)}, not of ${expected.issuer}`)
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(expected.clientId))
    throw new Fault(`the ID token is for ${writeJson(aud)}, not for the client ${expected.clientId}`)
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    throw new Fault('the ID token is of another login (its nonce differs); try again')
  if (typeof exp !== 'number') throw new Fault('the ID token has no end')
  return {
    idToken,
    expiresAt: exp * 1000,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : former,
  }
}

/** What OAuth says about a refusal, in one line. */
export function refusalText(body: Readonly<Record<string, unknown>>): string {
  const { error, error_description: description } = body
  const code = typeof error === 'string' ? error : 'no reason'
  return typeof description === 'string' && description !== '' ? `${code}: ${description}` : code
}

function claimsOf(token: string, issuer: string): Readonly<Record<string, unknown>> {
  try {
    const [, payload = ''] = token.split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (isObject(claims)) return claims
  } catch {
    // The same message as below.
  }
  throw new Fault(`${issuer} gave an ID token that is no JWT`)
}
