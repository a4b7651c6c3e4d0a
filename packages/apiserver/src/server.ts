// Wires the API server and starts it: cache, registry, controllers, HTTP. The caller opens the store and closes it after
// the server has ended.

import type { Duplex } from 'node:stream'
import { type Clock, type Log, type Metric, silentLog, systemClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import type { Store } from '@homeostat/store'
import { makeAuth } from './authn/auth.ts'
import type { AuthenticationSettings } from './authn/settings.ts'
import { createRightStep } from './authz/create-right-step.ts'
import { DeclaredRights, type DefinitionHolds } from './authz/declared-rights.ts'
import { cachedRoles } from './authz/rbac/cached-roles.ts'
import { escalationStep } from './authz/rbac/escalation-step.ts'
import { RbacAuthorizer } from './authz/rbac/rbac-authorizer.ts'
import { RoleIndex } from './authz/rbac/role-index.ts'
import { refusal } from './authz/require-permission.ts'
import { writePermissionsStep } from './authz/write-permissions-step.ts'
import { builtinTypes, serveTypes } from './builtin/builtin-types.ts'
import { withPodActions } from './builtin/pod-actions.ts'
import { withServiceAddresses } from './builtin/rules/service-type.ts'
import { WatchCache } from './cache/watch-cache.ts'
import { startControllers } from './controllers/controllers.ts'
import { kindRoles } from './controllers/own-roles.ts'
import { PublishedAuthorities } from './controllers/published-authorities.ts'
import { Discovery } from './discovery/discovery.ts'
import type { Exchange } from './exchange/exchange.ts'
import { ResponseBudget } from './exchange/response-budget.ts'
import { http1Server, type RequestTimeouts } from './http/http1-server.ts'
import { InFlight, type InFlightLimits } from './http/in-flight.ts'
import { Listener } from './http/listener.ts'
import { guardFor, type LocalUsers, ownUsers } from './http/local-users.ts'
import { OpenRequests } from './http/open-requests.ts'
import { PageGuard } from './http/page-guard.ts'
import { Router } from './http/router.ts'
import type { HandshakeLimits } from './http/tls/handshake-gate.ts'
import type { SecureListener } from './http/tls/listen-securely.ts'
import type { TlsIdentity } from './http/tls/tls-identity.ts'
import { LOCAL_PEER } from './identity/peer.ts'
import { ADMINISTRATOR, AUTHENTICATED, type User } from './identity/user.ts'
import { type HealthCheck, pingCheck } from './ops/health.ts'
import { ResourceMetrics } from './ops/resource-metrics.ts'
import { ServerMetrics } from './ops/server-metrics.ts'
import { type LocalIdentity, localApi } from './pipeline/local-api.ts'
import { type Permit, permittedApi } from './pipeline/local-permit.ts'
import { ephemeralPki, type Pki } from './pki/pki.ts'
import type { AdmissionStep } from './registry/admission-step.ts'
import type { Api } from './registry/api.ts'
import type { ApiExtension } from './registry/api-extension.ts'
import type { DeclaredRule } from './registry/declared-rule.ts'
import { firstOf, type Wake } from './registry/first-of.ts'
import { Registry } from './registry/registry.ts'
import { ResourceTypes } from './registry/resource-types.ts'
import type { TypeRules } from './registry/type-rules.ts'
import { keepViews } from './watch/views.ts'
import { WatchHub } from './watch/watch-hub.ts'

export interface ApiServerOptions {
  readonly store: Store
  /** A loopback address, for plain HTTP. */
  readonly host: string
  /** 0 picks a free port. Undefined does not listen; then `connect` is the only way in. */
  readonly port: number | undefined
  /** A TLS port. Default: none. */
  readonly secure?: SecureOptions | undefined
  /** Default: nothing is logged. */
  readonly logger?: Log | undefined
  /** CustomResourceDefinitions to create or update before the server is ready. */
  readonly definitions?: readonly KubeObject[]
  /** The server's own keys. Default: new ones for the lifetime of the server. */
  readonly pki?: Pki
  /** Which credentials are accepted besides those of the server's own keys. Default: none. */
  readonly authentication?: AuthenticationSettings | undefined
  /** How long an Event is kept after its last write. Default: an hour. */
  readonly eventTtlMs?: number | undefined
  /** The most changes that `GET /events` returns. Default 1000. */
  readonly eventsLimit?: number | undefined
  /** The users of this machine that may connect. Default: on Linux its own user and root; elsewhere all. */
  readonly localUsers?: LocalUsers | undefined
  /** Further origins whose pages may use the server from a browser, such as http://localhost:5173. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined
  /** Limits of requests in flight. Others wait, and get 429 when that takes too long. */
  readonly inFlight?: InFlightLimits | undefined
  /** The most connections from the network; more are closed at once. Default 20,000. */
  readonly maxConnections?: number | undefined
  /** How long a client may take to send a request. Default: 30 s for its head, 60 s for all of it. */
  readonly timeouts?: RequestTimeouts | undefined
  /** Creates the default roles only after the server is ready: for tests, which seldom need them. */
  readonly rolesLater?: boolean
  /** Parts of the API that extensions serve. */
  readonly extensions?: readonly ApiExtension[]
  /** Rules of add-ons for writes of their kinds. */
  readonly rules?: readonly TypeRules[]
  /** Steps to add to the write pipeline, such as mutations, policies, quotas, an audit. They run in this order. */
  readonly admission?: readonly AdmissionStep[]
  /** The clock of objects and controllers. Default: the system's. */
  readonly clock?: Clock
}

/** A TLS port, with HTTP/1.1 and HTTP/2. */
export interface SecureOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly identity: TlsIdentity
  /** Limits of handshakes. Default: 500 at once of each address, then 100 per second. */
  readonly handshakes?: HandshakeLimits | undefined
  /** How long a handshake may take. Default 10 s. */
  readonly handshakeMs?: number | undefined
}

export interface SecurePort {
  readonly address: { readonly host: string; readonly port: number }
  /**
   * Uses another identity from now on. Open connections stay, except those of clients whose authority is not trusted any
   * more. Throws an Error that says what is wrong with the identity, and then keeps the one it has.
   */
  update(identity: TlsIdentity): void
}

export interface ApiServer {
  /** The port is 0 when the server does not listen. */
  readonly address: { readonly host: string; readonly port: number }
  /** Undefined for a server without TLS. */
  readonly secure: SecurePort | undefined
  /** Publishes other certificates (PEM) by which clients verify this server: in the ConfigMap kube-root-ca.crt. */
  publishAuthorities(caBundle: string): void
  /** Opens an HTTP connection from inside this process. Its requests run as the user; default: the administrator. */
  connect(user?: User): Duplex
  /** The Api for code inside the server, without a connection. It may do everything. */
  api(identity: LocalIdentity): Api
  /** Replaces the option `authentication`, also for requests that are open. */
  configureAuthentication(settings: AuthenticationSettings): void
  /** A user for a program inside the server, which may do what it declares and what roles allow to its name. */
  account(identity: LocalIdentity, access: readonly DeclaredRule[]): LocalAccount
  /** Adds a metric to /metrics. */
  measure(metric: Metric): void
  /** Resolves when one of these objects exists, or the signal aborts. */
  firstOf(wakes: readonly Wake[], signal: AbortSignal): Promise<void>
  /** Ends watches, lets requests in flight finish, and stops the controllers. Safe to call twice. */
  close(): Promise<void>
  /** Resolves when the server has ended, also after a failure of the store's change stream. */
  readonly done: Promise<void>
}

/** Two ways in for one program: as an Api, and for `connect`. */
export interface LocalAccount {
  readonly user: User
  readonly api: Api
}

const EVENTS_LIMIT = 1000
const MAX_CONNECTIONS = 20_000

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, logger = silentLog } = options
  const ending = new AbortController()
  // Aborted after requests and controllers have ended: a write is answered only when the cache has seen it.
  const following = new AbortController()
  const clock = options.clock ?? systemClock
  const now = () => clock.now()
  const loading = WatchCache.load(store)
  // Runs while the store's thread reads the objects.
  const kinds = builtinTypes(now)
  const cache = await loading
  const types = new ResourceTypes(options.extensions, options.rules)
  const roles = new RoleIndex(cachedRoles(cache))
  const declared = new DeclaredRights(definitionHolds(cache), (refusal) => {
    logger.warn(refusal, 'an add-on was refused what it does not declare; add it to its access, or run the line')
  })
  const authorizer = new RbacAuthorizer(roles, declared)
  const permissions = writePermissionsStep(options.rules ?? [], authorizer)
  const admission = [
    ...(options.admission ?? []),
    createRightStep(authorizer),
    escalationStep(roles, authorizer),
    ...(permissions === undefined ? [] : [permissions]),
  ]
  const registry = new Registry(store, cache, types, clock, admission)
  const pki = options.pki ?? (await ephemeralPki(now()))
  let clientAuthorities = options.secure?.identity.clientAuthorities ?? ''
  const auth = makeAuth({
    registry,
    pki,
    clientAuthorities: () => clientAuthorities,
    authorizer,
    settings: options.authentication ?? {},
    log: logger,
  })
  serveTypes(
    types,
    withPodActions(withServiceAddresses(auth.withReviewsAndTokens(kinds), registry), () => api, now),
  )
  const metrics = new ServerMetrics(() => store.stats())
  metrics.addRefreshed(new ResourceMetrics(cache))
  const hub = new WatchHub(cache, watchObserver(metrics, logger))
  const followed = cache.follow(store, following.signal).catch((error: unknown) => {
    if (!ending.signal.aborted) logger.error({ err: error }, 'the change stream of the store broke; the server ends')
  })
  const warned = (text: string) => logger.debug({ warning: text }, 'a controller was warned')
  const api = localApi(registry, { username: 'system:apiserver', manager: 'homeostat' }, warned)
  const authorities = new PublishedAuthorities()
  const controllers = await startControllers({
    api,
    types,
    log: logger,
    definitions: options.definitions ?? [],
    signal: ending.signal,
    caBundle: pki.caCertificate,
    newBundles: (use) => authorities.follow(use),
    eventTtlMs: options.eventTtlMs,
    rolesLater: options.rolesLater,
    kindRoles: kindRoles(options.definitions ?? [], options.extensions ?? []),
    clock,
  }).catch((error: unknown) => {
    ending.abort()
    following.abort()
    throw error
  })
  const stopViews = keepViews(registry, hub)
  const inFlight = new InFlight(options.inFlight)
  metrics.add(inFlight)
  const responses = new ResponseBudget(clock)
  metrics.add(responses)
  const open = new OpenRequests(auth, clock)
  const pages = new PageGuard(options.allowOrigins)
  const router = new Router({
    inFlight,
    open,
    responses,
    registry,
    hub,
    auth,
    discovery: new Discovery(types),
    metrics,
    checks: healthChecks(store, cache),
    eventsLimit: options.eventsLimit ?? EVENTS_LIMIT,
    pages,
    signal: ending.signal,
    onFailure: (exchange) => logFailure(logger, exchange),
  })
  const http1 = http1Server(router.handle, options.timeouts)
  const { accept, connections, local } = http1
  const guard = guardFor(options.localUsers ?? ownUsers(), logger, metrics)
  const listener = new Listener(
    (socket) => accept(socket, LOCAL_PEER),
    guard,
    options.maxConnections ?? MAX_CONNECTIONS,
  )
  const close = once(async () => {
    hub.close()
    open.close()
    auth.close()
    ending.abort()
    listener.close()
    await Promise.all([secure?.close(), connections.close()])
    await controllers.stopped
    following.abort()
    stopViews()
    registry.pages.close()
    metrics.close()
  })
  let secure: SecureListener | undefined
  const listen = async () => {
    if (options.secure) {
      const { maxConnections = MAX_CONNECTIONS, timeouts } = options
      // Loaded only here: node:tls and node:http2 take longer than all else of a start without them.
      const { listenSecurely } = await import('./http/tls/listen-securely.ts')
      secure = await listenSecurely({
        ...options.secure,
        http1,
        pages,
        handle: router.handle,
        maxConnections,
        timeouts,
      })
    }
    return options.port === undefined ? 0 : listener.listen(options.host, options.port)
  }
  const port = await listen().catch(async (error: unknown) => {
    await close()
    throw error
  })
  const address = { host: options.host, port }
  await controllers.listening(secure?.address ?? address)
  return {
    address,
    secure: secure && {
      address: secure.address,
      update(identity) {
        secure?.update(identity)
        clientAuthorities = identity.clientAuthorities
      },
    },
    publishAuthorities: (caBundle) => authorities.publish(caBundle),
    connect: (user = ADMINISTRATOR) => local.open(user),
    api: (identity) => localApi(registry, identity, warned),
    configureAuthentication: (settings) => auth.configure(settings),
    account(identity, access) {
      const user = accountUser(identity.username)
      declared.declare(user, access)
      const permit: Permit = (verb, { group, resource }, subresource, namespace = '', name = '') => {
        const attributes = { verb, group, resource, subresource, namespace, name }
        const { allowed, reason } = authorizer.authorize(user, attributes)
        if (allowed) return
        authorizer.refused(user, attributes)
        throw refusal(user, attributes, reason)
      }
      return { user, api: permittedApi(localApi(registry, identity, warned, user), permit) }
    },
    measure: (metric) => metrics.add(metric),
    firstOf: (wakes, signal) => firstOf(api, wakes, signal),
    close,
    done: followed.then(close),
  }
}

/** Of a service account, whether or not an object of its name exists. */
function accountUser(username: string): User {
  const namespace = username.split(':')[2] ?? ''
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED]
  return { username, groups }
}

function definitionHolds(cache: WatchCache): DefinitionHolds {
  const definitions = cache.resource('apiextensions.k8s.io/customresourcedefinitions')
  return (group, resource, text) => definitions.tree.get(`${resource}.${group}`)?.bytes.includes(text) ?? false
}

function watchObserver(metrics: ServerMetrics, logger: Log) {
  return {
    opened: (watch) => metrics.watches.of(watch.type).open.add(1),
    events: (watch, count) => metrics.watches.of(watch.type).events.add(count),
    ended: (watch, reason) => {
      metrics.watches.of(watch.type).open.add(-1)
      metrics.watches.terminated(reason)
      if (reason === 'slow')
        logger.warn({ resource: watch.type.resource }, 'a watcher reads too slowly and was ended; it can resume')
    },
  } satisfies ConstructorParameters<typeof WatchHub>[1]
}

function healthChecks(store: Store, cache: WatchCache): Record<'healthz' | 'livez' | 'readyz', readonly HealthCheck[]> {
  const written: HealthCheck = {
    name: 'store',
    check: () => {
      const { writable, reason } = store.health()
      return writable ? undefined : (reason ?? 'writes fail')
    },
  }
  const records: HealthCheck = { name: 'records', advisory: true, check: () => store.health().damage }
  const followed: HealthCheck = { name: 'cache', check: () => cache.failure?.message }
  const current: HealthCheck = { name: 'cache', check: () => (cache.failure ?? cache.trouble)?.message }
  return {
    healthz: [pingCheck, followed],
    livez: [pingCheck, followed],
    readyz: [pingCheck, written, records, current],
  }
}

function logFailure(logger: Log, exchange: Exchange): void {
  const { request, failure } = exchange
  logger.error(
    { method: request.method, url: request.message.url, code: failure?.code, err: failure?.cause ?? failure?.message },
    'a request failed',
  )
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= work())
}
