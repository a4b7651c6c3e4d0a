// Says who makes a request. A request that credentials to be nobody is the administrator's, since only this machine can
// send one; a claim that does not hold is refused and never falls back to that.

import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '@homeostat/meta'
import type { Authorizer } from '../authz/authorize.ts'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import { impersonate, impersonationHeaders, wantsImpersonation } from './impersonate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'

/** What a request says about who makes it. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** Names and values by turns, as they were sent. */
  readonly rawHeaders: readonly string[]
  /** Who speaks on a connection from inside this process; undefined for any other. */
  readonly localUser: User | undefined
}

export class Authenticator {
  readonly #tokens: ServiceAccountTokens
  readonly #authorizer: Authorizer

  /** The authorizer says who may act as somebody else. */
  constructor(tokens: ServiceAccountTokens, authorizer: Authorizer) {
    this.#tokens = tokens
    this.#authorizer = authorizer
  }

  /** Throws 401 for a claim that does not hold, 403 for an impersonation that is not allowed. */
  authenticate(credentials: Credentials): User | Promise<User> {
    const user = this.#sender(credentials)
    const { rawHeaders } = credentials
    return wantsImpersonation(rawHeaders) ? impersonate(user, impersonationHeaders(rawHeaders), this.#authorizer) : user
  }

  #sender({ headers: { authorization }, localUser }: Credentials): User {
    if (authorization === undefined) return localUser ?? ADMINISTRATOR
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1]
    const recognised = token === undefined ? undefined : this.#tokens.recognise(token)
    if (typeof recognised !== 'object') throw unauthorized()
    return recognised.user
  }
}
