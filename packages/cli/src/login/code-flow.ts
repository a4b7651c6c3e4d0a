// The authorization code flow with PKCE, without the way on which the browser comes back: where to send it, and what becomes of the
// code that it brings. The command's own login and the dashboard's use it.

import { createHash, randomBytes } from 'node:crypto'
import { Fault } from '../fault.ts'
import type { Issuer } from './issuer.ts'
import { readTokens, refusalText, type Tokens } from './tokens.ts'

export interface CodeRequest {
  readonly clientId: string
  /** Where the issuer sends the browser to, with the code. */
  readonly redirect: string
}

/** What makes the code useless for everybody else. Whoever begins a login keeps it until the code is there. */
export interface CodeSecrets {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export function newSecrets(): CodeSecrets {
  return { verifier: randomText(), state: randomText(), nonce: randomText() }
}

/** The page of the issuer that asks the person. */
export function authorizationUrl(
  authorization: string,
  { clientId, redirect }: CodeRequest,
  scopes: readonly string[],
  { verifier, state, nonce }: CodeSecrets,
): string {
  const url = new URL(authorization)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: scopes.join(' '),
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // OIDC gives a refresh token only to whom somebody consents.
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/** The code that came back, or why there is none. The caller has compared the state. */
export function codeOf(query: URLSearchParams, expected: string): string | Fault {
  const [issuer, code, error] = [query.get('iss'), query.get('code'), query.get('error')]
  if (issuer !== null && issuer !== expected)
    return new Fault(`the login came back from another issuer than ${expected}`)
  if (code) return code
  const body = { error, error_description: query.get('error_description') }
  return new Fault(`${expected} refuses the login: ${refusalText(body)}`)
}

/** Throws a Fault when the issuer refuses the code, or answers with tokens of another login. */
export async function exchangeCode(
  { issuer, token, code }: { readonly issuer: Issuer; readonly token: string; readonly code: string },
  { clientId, redirect }: CodeRequest,
  { verifier, nonce }: Omit<CodeSecrets, 'state'>,
): Promise<Tokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirect, client_id: clientId }
  const { status, body } = await issuer.post(token, { ...form, code_verifier: verifier })
  if (status !== 200) throw new Fault(`${issuer.url} refuses the login: ${refusalText(body)}`)
  return readTokens(body, { issuer: issuer.url, clientId, nonce })
}

/** Undefined when the issuer does not accept the refresh token any more. */
export async function refreshTokens(
  { issuer, token }: { readonly issuer: Issuer; readonly token: string },
  clientId: string,
  refreshToken: string,
): Promise<Tokens | undefined> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }
  const { status, body } = await issuer.post(token, form)
  if (status !== 200 || body.id_token === undefined) return undefined
  return readTokens(body, { issuer: issuer.url, clientId }, refreshToken)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}
