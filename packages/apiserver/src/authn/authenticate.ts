// Finds the user of a request: the internal user of a connection, a client certificate, a bearer token. A request without any
// credential is the administrator's on a local connection and anonymous over TLS; an invalid credential is refused with 401 and
// never falls back to either.

import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import type { Peer } from '../identity/peer.ts'
import { ADMINISTRATOR, ANONYMOUS, type User } from '../identity/user.ts'
import { type AnonymousRule, allowsAnonymous } from './anonymous.ts'
import type { ClientCertificates } from './client-certificates.ts'
import type { FrontProxy } from './front-proxy.ts'
import { impersonate, impersonationHeaders, wantsImpersonation } from './impersonate.ts'
import type { TokenAuthenticator, Verdict } from './token-authenticator.ts'

/** The parts of a request that identify its user. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** Header names and values alternate, as Node's `rawHeaders` has them. */
  readonly rawHeaders: readonly string[]
  readonly pathname: string
  /** Where its connection comes from. */
  readonly peer: Peer
}

export interface AuthenticatorParts {
  readonly certificates: ClientCertificates
  /** Requests that other servers of the store pass on; undefined on a store that is not shared. */
  readonly frontProxy: FrontProxy | undefined
  readonly tokens: TokenAuthenticator
  /** The audiences of this server. */
  readonly audiences: readonly string[]
  readonly anonymous: () => AnonymousRule
  /** Decides who may impersonate whom. */
  readonly authorizer: Authorizer
}

export class Authenticator {
  readonly #parts: AuthenticatorParts

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts
  }

  /** Throws 401 for invalid credentials, 403 for an impersonation that is not allowed. */
  authenticate(credentials: Credentials): User | Promise<User> {
    const user = this.#sender(credentials)
    const { rawHeaders } = credentials
    if (!wantsImpersonation(rawHeaders)) return user
    const become = (sender: User) => impersonate(sender, impersonationHeaders(rawHeaders), this.#parts.authorizer)
    return user instanceof Promise ? user.then(become) : become(user)
  }

  #sender(credentials: Credentials): User | Promise<User> {
    const { authorization } = credentials.headers
    const { peer } = credentials
    // As in Kubernetes the certificate goes first, and a token beside a good one is not looked at.
    if (peer.kind === 'tls' && peer.certificate !== undefined) {
      const { certificates, frontProxy } = this.#parts
      const caller = frontProxy?.callerOf(peer.certificate, credentials.rawHeaders)
      if (caller !== undefined) return caller
      const user = certificates.recognise(peer.certificate)
      if (user !== undefined) return user
      if (authorization === undefined) throw unauthorized()
    }
    if (authorization === undefined) return this.#withoutCredentials(credentials)
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1]
    if (token === undefined) throw unauthorized()
    const verdict = this.#parts.tokens.recognise(token, this.#parts.audiences)
    return verdict instanceof Promise ? verdict.then(userOf) : userOf(verdict)
  }

  #withoutCredentials({ peer, pathname }: Credentials): User {
    if (peer.kind === 'internal') return peer.user
    if (peer.kind === 'local') return ADMINISTRATOR
    if (peer.certificateProblem !== undefined || !allowsAnonymous(this.#parts.anonymous(), pathname))
      throw unauthorized()
    return ANONYMOUS
  }
}

function userOf(verdict: Verdict): User {
  if (typeof verdict !== 'object') throw unauthorized()
  return verdict.user
}
