// Says who makes a request. A request that claims to be nobody is the administrator's, since only this machine can
// send one; a claim that does not hold is refused and never falls back to that.

import type { IncomingMessage } from 'node:http'
import { unauthorized } from '@homeostat/meta'
import { localUser } from '../http/local-connection.ts'
import { ADMINISTRATOR, type User } from '../identity/user.ts'
import { impersonate, wantsImpersonation } from './impersonate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'

export class Authenticator {
  readonly #tokens: ServiceAccountTokens

  constructor(tokens: ServiceAccountTokens) {
    this.#tokens = tokens
  }

  /** Throws 401 for a claim that does not hold, 403 for an impersonation that is not allowed. */
  authenticate(request: IncomingMessage): User {
    const user = this.#sender(request)
    return wantsImpersonation(request.rawHeaders) ? impersonate(user, request.headersDistinct) : user
  }

  #sender({ headers: { authorization }, socket }: IncomingMessage): User {
    if (authorization === undefined) return localUser(socket) ?? ADMINISTRATOR
    const token = /^bearer +([^ ]+)$/i.exec(authorization)?.[1]
    const recognised = token === undefined ? undefined : this.#tokens.recognise(token)
    if (typeof recognised !== 'object') throw unauthorized()
    return recognised.user
  }
}
