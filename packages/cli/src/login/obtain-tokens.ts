// Finds the tokens of a login: those of the cache while they last, then by the refresh token, then by asking the person.

import { type Clock, systemClock } from '@homeostat/base'
import { Fault } from '../fault.ts'
import { refreshTokens } from './code-flow.ts'
import { deviceFlow } from './device-flow.ts'
import type { Issuer } from './issuer.ts'
import { type LoginRequest, scopesFor } from './login-request.ts'
import { loopbackFlow } from './loopback-flow.ts'
import type { TokenCache } from './token-cache.ts'
import type { Tokens } from './tokens.ts'

export interface ObtainOptions {
  readonly request: LoginRequest
  readonly issuer: Issuer
  readonly cache: TokenCache
  /** Whether a person can be asked. */
  readonly isInteractive: boolean
  /** Asks the person even if there are tokens. */
  readonly anew: boolean
  /** Called with what the person has to do. */
  show(url: string, code?: string): void
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
}

/** A request that is made now still reaches the server in time. */
const MARGIN_MS = 60_000

export async function obtainTokens(options: ObtainOptions): Promise<Tokens> {
  const { cache, anew, signal, clock = systemClock } = options
  const isFresh = (tokens: Tokens | undefined) => tokens !== undefined && tokens.expiresAt - MARGIN_MS > clock.now()
  const known = anew ? undefined : cache.read()
  if (known !== undefined && isFresh(known)) return known
  const refreshed =
    known?.refreshToken === undefined
      ? undefined
      : await cache.locked(async () => {
          // Another process may have refreshed them while this one waited.
          const now = cache.read()
          if (now !== undefined && isFresh(now)) return now
          return now?.refreshToken === undefined ? undefined : refresh(options, now.refreshToken)
        }, signal)
  return refreshed ?? ask(options, clock)
}

/** Undefined when the issuer does not accept the token any more. */
async function refresh({ request, issuer, cache }: ObtainOptions, refreshToken: string): Promise<Tokens | undefined> {
  const { token } = await issuer.discover()
  const tokens = await refreshTokens({ issuer, token }, request.clientId, refreshToken)
  if (tokens !== undefined) cache.write(tokens)
  return tokens
}

async function ask(options: ObtainOptions, clock: Clock): Promise<Tokens> {
  const { request, issuer, cache, isInteractive, signal, show } = options
  const { clientId, device } = request
  if (!isInteractive) {
    const command = `homeostat login --issuer ${request.issuer} --client-id ${clientId}${device ? ' --device' : ''}`
    throw new Fault(`you are not logged in, and nobody can be asked here; run this in a terminal first: ${command}`)
  }
  const endpoints = await issuer.discover()
  const parts = { issuer, endpoints, clientId, scopes: scopesFor(request, endpoints.scopes), show, signal }
  const tokens = await (device ? deviceFlow({ ...parts, clock }) : loopbackFlow(parts))
  cache.write(tokens)
  return tokens
}
