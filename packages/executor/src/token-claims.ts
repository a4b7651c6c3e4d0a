// Reads the account and the life of a token, without verifying it: an executor trusts its own. Pure.

export interface TokenClaims {
  readonly namespace: string
  readonly account: string
  /** Seconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Undefined for a token that is not one of a service account, or never ends. */
export function tokenClaims(token: string): TokenClaims | undefined {
  const [, payload = ''] = token.split('.')
  try {
    const { sub, iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(String(sub)) ?? []
    if (namespace === undefined || account === undefined) return undefined
    if (typeof iat !== 'number' || typeof exp !== 'number' || !(exp > iat)) return undefined
    return { namespace, account, issuedAt: iat, expiresAt: exp }
  } catch {
    return undefined
  }
}

/** When to renew, in ms: after four fifths of the life, so that a server that is down for a while does no harm. */
export function renewalTime({ issuedAt, expiresAt }: TokenClaims): number {
  return (issuedAt + (expiresAt - issuedAt) * 0.8) * 1000
}
