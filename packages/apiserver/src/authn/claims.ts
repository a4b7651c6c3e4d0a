// The claims of a token, and how they are read. Whoever reads them without a check of the signature may only use them to find the
// authenticator that the token is meant for.

import { isObject } from '@homeostat/meta'

export type Claims = Readonly<Record<string, unknown>>

/** Undefined for what is no token. */
export function unverifiedClaims(token: string): Claims | undefined {
  const parts = token.split('.', 4)
  if (parts.length !== 3) return undefined
  return decodeClaims(parts[1] as string)
}

/** The middle part of a token; undefined when it holds no JSON object. */
export function decodeClaims(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
