// Renews the token of an executor before it ends and keeps it in its file, from which the client takes it.

import { readFileSync } from 'node:fs'
import { type Clock, type Log, pause } from '@homeostat/base'
import type { Client } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { writeToken } from './credential-file.ts'
import { renewalTime, type TokenClaims, tokenClaims } from './token-claims.ts'

export interface RenewalOptions {
  readonly client: Client
  readonly token: string
  readonly tokenFile: string
  readonly clock: Clock
  readonly log: Log
}

const RETRY_MS = 30_000
/** The server issues no shorter tokens. */
const SHORTEST_SECONDS = 600

/** Runs until the signal aborts. Does nothing for a token that has no end. */
export async function renewTokens(options: RenewalOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, tokenFile } = options
  let claims = tokenClaims(options.token)
  let retryAt = 0
  while (claims !== undefined && !signal.aborted) {
    await pause(clock, Math.max(0, renewalTime(claims) - clock.now(), retryAt - clock.now()), signal)
    if (signal.aborted) return
    const renewed = newerClaims(tokenFile, claims)
    if (renewed !== undefined) {
      claims = renewed
      continue
    }
    try {
      const token = await requestToken(options.client, claims, signal)
      writeToken(tokenFile, token)
      claims = tokenClaims(token)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, tokenFile }, 'the token could not be renewed; it is tried again')
      retryAt = clock.now() + RETRY_MS
    }
  }
}

/** Of a token that somebody else has put into the file: the controller that started this executor. */
function newerClaims(tokenFile: string, { expiresAt }: TokenClaims): TokenClaims | undefined {
  try {
    const found = tokenClaims(readFileSync(tokenFile, 'utf8').trim())
    return found !== undefined && found.expiresAt > expiresAt ? found : undefined
  } catch {
    return undefined
  }
}

async function requestToken(
  client: Client,
  { namespace, account, issuedAt, expiresAt }: TokenClaims,
  signal: AbortSignal,
): Promise<string> {
  const expirationSeconds = Math.max(SHORTEST_SECONDS, expiresAt - issuedAt)
  const answer = (await client.requestJson({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    headers: { 'content-type': 'application/json' },
    body: writeJson({ spec: { expirationSeconds } }),
    signal,
  })) as unknown as { status: { token: string } }
  return answer.status.token
}
