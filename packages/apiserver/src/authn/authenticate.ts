// Finds the user of a request. A request without credentials is the administrator's on a local connection and anonymous
// over TLS; invalid credentials are refused with 401 and never fall back to either.

import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import type { Peer } from '../identity/peer.ts'
import { ADMINISTRATOR, ANONYMOUS, type User } from '../identity/user.ts'
import { impersonate, impersonationHeaders, wantsImpersonation } from './impersonate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'

/** The parts of a request that identify its user. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** Header names and values alternate, as Node's `rawHeaders` has them. */
  readonly rawHeaders: readonly string[]
  /** Where its connection comes from. */
  readonly peer: Peer
}

export class Authenticator {
  readonly #tokens: ServiceAccountTokens
  readonly #authorizer: Authorizer

  /** The authorizer decides who may impersonate whom. */
  constructor(tokens: ServiceAccountTokens, authorizer: Authorizer) {
    this.#tokens = tokens
    this.#authorizer = authorizer
  }

  /** Throws 401 for invalid credentials, 403 for an impersonation that is not allowed. */
  authenticate(credentials: Credentials): User | Promise<User> {
    const user = this.#sender(credentials)
    const { rawHeaders } = credentials
    return wantsImpersonation(rawHeaders) ? impersonate(user, impersonationHeaders(rawHeaders), this.#authorizer) : user
  }

  #sender({ headers: { authorization }, peer }: Credentials): User {
    if (authorization === undefined) return withoutCredentials(peer)
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1]
    const recognised = token === undefined ? undefined : this.#tokens.recognise(token)
    if (typeof recognised !== 'object') throw unauthorized()
    return recognised.user
  }
}

function withoutCredentials(peer: Peer): User {
  if (peer.kind === 'internal') return peer.user
  if (peer.kind === 'local') return ADMINISTRATOR
  if (peer.certificateProblem !== undefined) throw unauthorized()
  return ANONYMOUS
}
