// The issuers whose tokens a server accepts, as places to log in for its dashboard. The client at each is the first audience of its tokens,
// which is --oidc-client-id; it has no secret, as that of `homeostat login`. Loaded with the dashboard.

import type { JwtIssuer } from '@homeostat/apiserver'
import { type Clock, systemClock } from '@homeostat/base'
import type { Providers } from '@homeostat/dashboard'
import { Fault } from '../fault.ts'
import { authorizationUrl, codeOf, exchangeCode, newSecrets, refreshTokens } from './code-flow.ts'
import { Issuer, type IssuerEndpoints } from './issuer.ts'
import { scopesFor } from './login-request.ts'

/** Logins of strangers ask for the description of an issuer no more often. */
const KNOWN_MS = 600_000

interface Known {
  readonly issuer: Issuer
  readonly clientId: string
  readonly endpoints: Promise<IssuerEndpoints>
  readonly until: number
}

/** `accepted` may change: it is asked for every login. `signal` ends requests that are under way. */
export function loginProviders(
  accepted: () => readonly JwtIssuer[],
  signal: AbortSignal,
  clock: Pick<Clock, 'now'> = systemClock,
): Providers {
  const known = new Map<JwtIssuer, Known>()

  function find(url: string): Known {
    const settings = accepted().find((one) => one.url === url)
    const clientId = settings?.audiences[0]
    if (settings === undefined || clientId === undefined) throw new Fault(`this server accepts no tokens of ${url}`)
    for (const [one, { until }] of known) if (until <= clock.now() || !accepted().includes(one)) known.delete(one)
    const before = known.get(settings)
    if (before !== undefined) return before
    const { certificateAuthority: ca, discoveryUrl } = settings
    const issuer = new Issuer(url, { ca, signal, discoveryUrl, caSetting: '--oidc-ca-file FILE' })
    const found = { issuer, clientId, endpoints: issuer.discover(), until: clock.now() + KNOWN_MS }
    known.set(settings, found)
    found.endpoints.catch(() => known.delete(settings))
    return found
  }

  return {
    issuers: () => accepted().map(({ url }) => url),

    async begin(url, redirect) {
      const { clientId, endpoints } = find(url)
      const { authorization, scopes } = await endpoints
      if (authorization === undefined) throw new Fault(`${url} has no login by browser`)
      const secrets = newSecrets()
      const asked = scopesFor({ scopes: undefined }, scopes)
      const { verifier, nonce, state } = secrets
      return {
        url: authorizationUrl(authorization, { clientId, redirect }, asked, secrets),
        state,
        begun: { issuer: url, redirect, verifier, nonce },
      }
    },

    async finish({ issuer: url, redirect, ...secrets }, brought) {
      const { issuer, clientId, endpoints } = find(url)
      const code = codeOf(brought, url)
      if (typeof code !== 'string') throw code
      const { token } = await endpoints
      return exchangeCode({ issuer, token, code }, { clientId, redirect }, secrets)
    },

    async refresh(url, refreshToken) {
      const { issuer, clientId, endpoints } = find(url)
      const { token } = await endpoints
      return refreshTokens({ issuer, token }, clientId, refreshToken)
    },
  }
}
