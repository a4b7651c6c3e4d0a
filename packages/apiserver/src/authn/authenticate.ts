// Finds the user of a request. A request without credentials is the administrator's, since only this machine can send
// one; invalid credentials are refused with 401 and never fall back to the administrator.

import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import { impersonate, impersonationHeaders, wantsImpersonation } from './impersonate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'

/** The parts of a request that identify its user. */
export interface Credentials {
  readonly headers: IncomingHttpHeaders
  /** Header names and values alternate, as Node's `rawHeaders` has them. */
  readonly rawHeaders: readonly string[]
  /** The user of a connection from inside this process; undefined for any other connection. */
  readonly localUser: User | undefined
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

  #sender({ headers: { authorization }, localUser }: Credentials): User {
    if (authorization === undefined) return localUser ?? ADMINISTRATOR
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1]
    const recognised = token === undefined ? undefined : this.#tokens.recognise(token)
    if (typeof recognised !== 'object') throw unauthorized()
    return recognised.user
  }
}
