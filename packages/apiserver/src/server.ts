// Puts the API server together and starts it: cache, registry, controllers, HTTP. Callers bring the store and close
// it after the server has ended.

import type { Duplex } from 'node:stream'
import { type Clock, type Metric, systemClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import type { Store } from '@homeostat/store'
import type { Logger } from 'pino'
import { makeAuth } from './authn/auth.ts'
import { ephemeralPki, type Pki } from './authn/pki.ts'
import { builtinTypes, serveTypes } from './builtin/builtin-types.ts'
import { withPodActions } from './builtin/pod-actions.ts'
import { withServiceAddresses } from './builtin/rules/service-type.ts'
import { WatchCache } from './cache/watch-cache.ts'
import { startControllers } from './controllers/controllers.ts'
import { Discovery } from './discovery/discovery.ts'
import { AnswerBudget } from './exchange/answer-budget.ts'
import type { Exchange } from './exchange/exchange.ts'
import { http1Server, type RequestTimeouts } from './http/http1-server.ts'
import { InFlight, type InFlightLimits } from './http/in-flight.ts'
import { Listener } from './http/listener.ts'
import { guardFor, type LocalUsers, ownUsers } from './http/local-users.ts'
import { PageGuard } from './http/page-guard.ts'
import { Router } from './http/router.ts'
import { ADMINISTRATOR, type User } from './identity/user.ts'
import { type HealthCheck, pingCheck } from './ops/health.ts'
import { ServerMetrics } from './ops/server-metrics.ts'
import { type LocalIdentity, localApi } from './pipeline/local-api.ts'
import type { AdmissionStep } from './registry/admission-step.ts'
import type { Api } from './registry/api.ts'
import type { ApiExtension } from './registry/api-extension.ts'
import { firstOf, type Wake } from './registry/first-of.ts'
import { Registry } from './registry/registry.ts'
import { ResourceTypes } from './registry/resource-types.ts'
import type { TypeRules } from './registry/type-rules.ts'
import { keepViews } from './watch/views.ts'
import { WatchHub } from './watch/watch-hub.ts'

export interface ApiServerOptions {
  readonly store: Store
  /** A loopback address. */
  readonly host: string
  /** 0 picks a free one; undefined listens nowhere: then only `connect` leads here. */
  readonly port: number | undefined
  readonly logger: Logger
  /** CustomResourceDefinitions that shall exist; created, or brought up to date, before the server is ready. */
  readonly definitions?: readonly KubeObject[]
  /** The server's own keys. Default: new ones, which end with the server. */
  readonly pki?: Pki
  /** How long an event is kept after it was last written. Default: an hour. */
  readonly eventTtlMs?: number | undefined
  /** The most changes that `GET /events` shows. Default 1000. */
  readonly eventsLimit?: number | undefined
  /** Which users of this machine may connect. Default: on Linux its own user and root; elsewhere all, as it cannot be told. */
  readonly localUsers?: LocalUsers | undefined
  /** Pages of these origins may use the server from a browser, beside its own; such as http://localhost:5173. Default: none. */
  readonly allowOrigins?: readonly string[] | undefined
  /** Requests that are worked on at once; the others wait, and are refused with 429 when that takes too long. */
  readonly inFlight?: InFlightLimits | undefined
  /** Connections from outside; more are closed at once. Default 20,000. */
  readonly maxConnections?: number | undefined
  /** How long a client may take to send a request. Default: 30 s for its head, 60 s for all of it. */
  readonly timeouts?: RequestTimeouts | undefined
  /** Makes the roles that every cluster has when it is up already: for tests, which seldom need them. */
  readonly rolesLater?: boolean
  /** Parts of the API that others answer. */
  readonly extensions?: readonly ApiExtension[]
  /** What add-ons say about writes of their kinds. */
  readonly rules?: readonly TypeRules[]
  /** Steps that are added to every write they apply to: mutations, rules, policies, quotas, an audit. Run in this order. */
  readonly admission?: readonly AdmissionStep[]
  /** What the server takes for the time, in objects and controllers. Default: the system's. */
  readonly clock?: Clock
}

export interface ApiServer {
  /** Port 0 when it does not listen. */
  readonly address: { readonly host: string; readonly port: number }
  /** A connection from inside this process, for a client to speak HTTP on. Its requests are the user's; default the administrator's. */
  connect(user?: User): Duplex
  /** The way to read and write for code that belongs to the server, without a connection. */
  api(identity: LocalIdentity): Api
  /** Shows a metric of that code too. */
  measure(metric: Metric): void
  /** Resolves when there is one of these objects, or the signal ends the wait. */
  firstOf(wakes: readonly Wake[], signal: AbortSignal): Promise<void>
  /** Ends watches, lets requests under way finish, and stops the controllers. Safe to call twice. */
  close(): Promise<void>
  /** Resolves when the server has ended, also by a failure of the store's change stream. */
  readonly done: Promise<void>
}

const EVENTS_LIMIT = 1000
const MAX_CONNECTIONS = 20_000

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, logger } = options
  const ending = new AbortController()
  // Outlives the requests and controllers: a write is answered only when the cache has seen it.
  const following = new AbortController()
  const clock = options.clock ?? systemClock
  const now = () => clock.now()
  const loading = WatchCache.load(store)
  // Made while the store is being read in its own thread.
  const kinds = builtinTypes(now)
  const cache = await loading
  const types = new ResourceTypes(options.extensions, options.rules)
  const registry = new Registry(store, cache, types, clock, options.admission)
  const pki = options.pki ?? (await ephemeralPki(now()))
  const auth = makeAuth(registry, pki)
  serveTypes(
    types,
    withPodActions(withServiceAddresses(auth.withReviewsAndTokens(kinds), registry), () => api, now),
  )
  const metrics = new ServerMetrics(() => store.stats())
  const hub = new WatchHub(cache, watchObserver(metrics, logger))
  const followed = cache.follow(store, following.signal).catch((error: unknown) => {
    if (!ending.signal.aborted) logger.fatal({ err: error }, 'the change stream of the store broke; the server ends')
  })
  const warned = (text: string) => logger.debug({ warning: text }, 'a controller was warned')
  const api = localApi(registry, { username: 'system:apiserver', manager: 'homeostat' }, warned)
  const controllers = await startControllers({
    api,
    types,
    log: logger,
    definitions: options.definitions ?? [],
    signal: ending.signal,
    caBundle: pki.caCertificate,
    eventTtlMs: options.eventTtlMs,
    rolesLater: options.rolesLater,
    clock,
  }).catch((error: unknown) => {
    ending.abort()
    following.abort()
    throw error
  })
  const stopViews = keepViews(registry, hub)
  const inFlight = new InFlight(options.inFlight)
  metrics.add(inFlight)
  const answers = new AnswerBudget(clock)
  metrics.add(answers)
  const router = new Router({
    inFlight,
    answers,
    registry,
    hub,
    auth,
    discovery: new Discovery(types),
    metrics,
    checks: healthChecks(store, cache),
    eventsLimit: options.eventsLimit ?? EVENTS_LIMIT,
    pages: new PageGuard(options.allowOrigins),
    signal: ending.signal,
    onFailure: (exchange) => logFailure(logger, exchange),
  })
  const { server, connections, local } = http1Server(router.handle, options.timeouts)
  const guard = guardFor(options.localUsers ?? ownUsers(), logger, metrics)
  const listener = new Listener(server, guard, options.maxConnections ?? MAX_CONNECTIONS)
  const close = once(async () => {
    hub.close()
    ending.abort()
    listener.close()
    await connections.close()
    await controllers.stopped
    following.abort()
    stopViews()
    registry.pages.close()
    metrics.close()
  })
  const port =
    options.port === undefined
      ? 0
      : await listener.listen(options.host, options.port).catch(async (error: unknown) => {
          await close()
          throw error
        })
  const address = { host: options.host, port }
  await controllers.listening(address)
  return {
    address,
    connect: (user = ADMINISTRATOR) => local.open(user),
    api: (identity) => localApi(registry, identity, warned),
    measure: (metric) => metrics.add(metric),
    firstOf: (wakes, signal) => firstOf(api, wakes, signal),
    close,
    done: followed.then(close),
  }
}

function watchObserver(metrics: ServerMetrics, logger: Logger) {
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

function logFailure(logger: Logger, exchange: Exchange): void {
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
