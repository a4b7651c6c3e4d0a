// Assembles authentication for one server: its token keys, the list of authenticators, and the kinds that need keys or users.

import type { Log } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { readStored, storedMetadata } from '@homeostat/meta/server'
import type { Authorizer } from '../authz/authorize.ts'
import type { CachedObject } from '../cache/cached-object.ts'
import type { User } from '../identity/user.ts'
import type { Pki } from '../pki/pki.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { Authenticator, type Credentials } from './authenticate.ts'
import { ClientCertificates } from './client-certificates.ts'
import { FrontProxy } from './front-proxy.ts'
import { withReviewsAndTokens } from './reviews-and-tokens.ts'
import { type FindMetadata, type FindObject, ISSUER, ServiceAccountTokens } from './service-account-tokens.ts'
import { type AuthenticationSettings, Configured } from './settings.ts'
import { TokenKeys } from './token.ts'
import { TokenAuthenticators } from './token-authenticator.ts'

export interface Auth {
  /**
   * The user of a request. Throws 400, 401 or 403. An authenticator that decides locally returns the user itself, which
   * costs no promise; one that asks another server returns a promise.
   */
  authenticate(credentials: Credentials): User | Promise<User>
  /** Whether another server of the store passed the request on, which was authenticated. */
  isPassedOn(credentials: Pick<Credentials, 'headers' | 'peer'>): boolean
  readonly authorizer: Authorizer
  /** Returns the types with access reviews and token requests, which need this server's keys and authorizer. */
  withReviewsAndTokens(types: readonly ResourceType[]): ResourceType[]
  readonly tokenKeys: TokenKeys
  /** Replaces the settings for all requests from now on, also those that are open. */
  configure(settings: AuthenticationSettings): void
  /** Ends what still asks an issuer. */
  close(): void
}

export interface AuthParts {
  readonly registry: Registry
  readonly pki: Pki
  /** The certificates of the authorities of clients, PEM, as they are now. */
  readonly clientAuthorities: () => string
  readonly authorizer: Authorizer
  readonly settings: AuthenticationSettings
  readonly log: Log
}

const AUDIENCES = [ISSUER]

/** Parses the metadata of an object once: a changed object is another one in the cache. */
function metadataFinder(registry: Registry): FindMetadata {
  const known = new WeakMap<CachedObject, Pick<KubeObject, 'metadata'>>()
  return (resource, namespace, name) => {
    const place = namespace === undefined ? name : `${namespace}/${name}`
    const object = registry.cache.resource(`core/${resource}`).get(place)
    if (object === undefined) return undefined
    let found = known.get(object)
    if (found === undefined) {
      found = { metadata: JSON.parse(storedMetadata(object.bytes, object.metaStart, object.metaEnd)) }
      known.set(object, found)
    }
    return found
  }
}

export function makeAuth({ registry, pki, clientAuthorities, authorizer, settings, log }: AuthParts): Auth {
  const tokenKeys = new TokenKeys(() => pki.tokenKeys)
  const find: FindObject = (resource, namespace, name) => {
    const place = namespace === undefined ? name : `${namespace}/${name}`
    const object = registry.cache.resource(`core/${resource}`).get(place)
    return object && readStored(object.bytes, object.metaEnd)
  }
  const now = () => registry.now()
  const accounts = new ServiceAccountTokens({ keys: tokenKeys, find: metadataFinder(registry), now })
  const parts = { audiences: AUDIENCES, now, log }
  let configured = new Configured(settings, parts)
  const list = () => [configured.staticTokens, accounts, configured.issuers].filter((one) => one !== undefined)
  let authenticators = list()
  const tokens = new TokenAuthenticators(() => authenticators)
  const frontProxy = registry.store.shared ? new FrontProxy(() => pki.caCertificate, now) : undefined
  const authenticator = new Authenticator({
    certificates: new ClientCertificates({ authorities: clientAuthorities, now }),
    frontProxy,
    tokens,
    audiences: AUDIENCES,
    anonymous: () => configured.anonymous,
    authorizer,
  })
  return {
    authenticate: (credentials) => authenticator.authenticate(credentials),
    isPassedOn: (credentials) => frontProxy?.isPassedOn(credentials) ?? false,
    authorizer,
    withReviewsAndTokens: (types) => {
      return withReviewsAndTokens(types, { accounts, tokens, audiences: AUDIENCES, authorizer, find, now })
    },
    tokenKeys,
    configure(changed) {
      configured = new Configured(changed, parts, configured)
      authenticators = list()
    },
    close: () => configured.issuers?.close(),
  }
}
