// Assembles authentication for one server: its token key, the authenticator, and the kinds that need keys or users.

import { readStored } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import type { User } from '../identity/user.ts'
import type { Pki } from '../pki/pki.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { Authenticator, type Credentials } from './authenticate.ts'
import { withReviewsAndTokens } from './reviews-and-tokens.ts'
import { type FindObject, ServiceAccountTokens } from './service-account-tokens.ts'
import { TokenKey } from './token.ts'

export interface Auth {
  /**
   * The user of a request. Throws 400, 401 or 403. An authenticator that decides locally returns the user itself, which
   * costs no promise; one that asks another server returns a promise.
   */
  authenticate(credentials: Credentials): User | Promise<User>
  readonly authorizer: Authorizer
  /** Returns the types with access reviews and token requests, which need this server's keys and authorizer. */
  withReviewsAndTokens(types: readonly ResourceType[]): ResourceType[]
  readonly tokenKey: TokenKey
}

export function makeAuth(registry: Registry, pki: Pki, authorizer: Authorizer): Auth {
  const tokenKey = new TokenKey(() => pki.tokenKey)
  const find: FindObject = (resource, namespace, name) => {
    const place = namespace === undefined ? name : `${namespace}/${name}`
    const object = registry.cache.resource(`core/${resource}`).get(place)
    return object && readStored(object.bytes, object.metaEnd)
  }
  const now = () => registry.now()
  const tokens = new ServiceAccountTokens({ key: tokenKey, find, now })
  const authenticator = new Authenticator(tokens, authorizer)
  return {
    authenticate: (credentials) => authenticator.authenticate(credentials),
    authorizer,
    withReviewsAndTokens: (types) => withReviewsAndTokens(types, { tokens, authorizer, find, now }),
    tokenKey,
  }
}
