// The token in the code with which a new server gets the keys of the others: signed with a key of tokens, so that whoever has a
// data directory can make one without a server. That it is used once is kept by the server that takes it.

import { randomBytes } from 'node:crypto'
import { TokenKeys } from './token.ts'

/** The subject of a token decides what it is good for: those of service accounts have another, whatever their audience. */
const SUBJECT = 'system:homeostat:new-server'

export interface JoinToken {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly expires: number
}

export function makeJoinToken(keys: ConstructorParameters<typeof TokenKeys>[0], expires: number): string {
  return new TokenKeys(keys).sign({
    sub: SUBJECT,
    jti: randomBytes(16).toString('hex'),
    exp: Math.floor(expires / 1000),
  })
}

/** Undefined for anything that is no such token of these keys, or has ended. */
export function readJoinToken(keys: TokenKeys, text: string, now: number): JoinToken | undefined {
  const claims = keys.verify(text)
  if (claims?.sub !== SUBJECT || typeof claims.jti !== 'string' || typeof claims.exp !== 'number') return undefined
  const expires = claims.exp * 1000
  return now < expires ? { id: claims.jti, expires } : undefined
}
