// Wires the API server and starts it: cache, rights, registry, controllers, HTTP. The caller opens the store and closes it
// after the server has ended. Each room of the wiring is a file in server/.

import { randomUUID } from 'node:crypto'
import { once, silentLog, systemClock } from '@homeostat/base'
import { builtInSteps } from './admission/built-in-steps.ts'
import { CachedObjects } from './admission/cached-objects.ts'
import { ServedVersions } from './admission/matching/served-versions.ts'
import { admissionPolicies } from './admission/policies/admission-policies.ts'
import { bindingSources } from './admission/policies/binding-sources.ts'
import { QuotaLedger } from './admission/quota/quota-ledger.ts'
import { admissionWebhooks } from './admission/webhook/admission-webhooks.ts'
import { makeAuth } from './authn/auth.ts'
import { authorizeAs } from './authz/expression-authorizer.ts'
import { builtinTypes, serveTypes } from './builtin/builtin-types.ts'
import { withPodActions } from './builtin/pod-actions.ts'
import { withServiceAddresses } from './builtin/rules/service-type.ts'
import { WatchCache } from './cache/watch-cache.ts'
import { startControllers } from './controllers/controllers.ts'
import { kindRoles } from './controllers/own-roles.ts'
import { PublishedAuthorities } from './controllers/published-authorities.ts'
import { Discovery } from './discovery/discovery.ts'
import { ResponseBudget } from './exchange/response-budget.ts'
import { InFlight } from './http/in-flight.ts'
import { OpenRequests } from './http/open-requests.ts'
import { PageGuard } from './http/page-guard.ts'
import { Router } from './http/router.ts'
import { ADMINISTRATOR } from './identity/user.ts'
import { ResourceMetrics } from './ops/resource-metrics.ts'
import { ServerMetrics } from './ops/server-metrics.ts'
import { laterOverview } from './overview/later-overview.ts'
import { LeaseTickets } from './pipeline/lease-tickets.ts'
import { localApi } from './pipeline/local-api.ts'
import { ephemeralPki } from './pki/pki.ts'
import { firstOf } from './registry/first-of.ts'
import { Registry } from './registry/registry.ts'
import { ResourceTypes } from './registry/resource-types.ts'
import type { ApiServer } from './server/api-server.ts'
import { checkCache } from './server/check-cache.ts'
import { joinRoute } from './server/join-route.ts'
import { localAccount } from './server/local-accounts.ts'
import { memberAddress, openDuties, Peers } from './server/membership.ts'
import { healthChecks, logFailure, watchObserver } from './server/observers.ts'
import type { ApiServerOptions } from './server/options.ts'
import { Ports } from './server/ports.ts'
import { makeRights } from './server/rights.ts'
import { SharedKeys } from './server/shared-keys.ts'
import { refuseIncomplete } from './server/start-refusal.ts'
import { keepViews } from './watch/views.ts'
import { WatchHub } from './watch/watch-hub.ts'
import { makeEgress } from './webhook/egress.ts'
import { ServiceAddresses } from './webhook/service-addresses.ts'
import { WebhookClient } from './webhook/webhook-client.ts'
import { WebhookMetrics } from './webhook/webhook-metrics.ts'

const EVENTS_LIMIT = 1000
const API_SERVER = { username: 'system:apiserver', manager: 'homeostat' }

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, logger = silentLog, clock = systemClock } = options
  const ending = new AbortController()
  // Aborted after requests and controllers have ended: a write is answered only when the cache has seen it.
  const following = new AbortController()
  const now = () => clock.now()
  const loading = WatchCache.load(store)
  // Runs while the store's thread reads the objects.
  const kinds = builtinTypes(now)
  const cache = await loading
  refuseIncomplete(cache)
  const peers = new Peers(options)
  const types = new ResourceTypes(await peers.extensions(() => duties), options.rules)
  const rights = makeRights(cache, options.rules ?? [], logger)
  const cached = new CachedObjects(cache)
  const quotas = new QuotaLedger(cached)
  const hookClient = new WebhookClient({ egress: makeEgress(options.webhooks?.allowAddresses), clock })
  const hookServices = new ServiceAddresses(cache, options.webhooks?.services)
  const calls = { client: hookClient, services: hookServices, metrics: new WebhookMetrics() }
  const versions = new ServedVersions(types)
  const sources = bindingSources(cached, (user) => authorizeAs(rights.authorizer, user))
  const webhooks = admissionWebhooks(cached, versions, calls, logger, sources)
  const policies = admissionPolicies({ cached, types, versions, log: logger, sources })
  // As in Kubernetes: policies judge before validating webhooks are asked, quotas count last.
  const added = [policies.step, ...(options.admission ?? []), ...webhooks.steps]
  const admission = [...rights.steps, ...builtInSteps(cached, quotas), ...added]
  const registry = new Registry(store, cache, types, clock, admission)
  const pki = options.pki ?? (await ephemeralPki(now()))
  let clientAuthorities = options.secure?.identity.clientAuthorities ?? ''
  const auth = makeAuth({
    registry,
    pki,
    clientAuthorities: () => clientAuthorities,
    authorizer: rights.authorizer,
    settings: options.authentication ?? {},
    log: logger,
  })
  serveTypes(
    types,
    withPodActions(withServiceAddresses(auth.withReviewsAndTokens(kinds), registry), () => api, now),
  )
  const metrics = new ServerMetrics(store)
  metrics.addRefreshed(new ResourceMetrics(cache))
  for (const metric of calls.metrics.metrics) metrics.add(metric)
  const hub = new WatchHub(cache, watchObserver(metrics, logger))
  const followed = cache.follow(store, following.signal, clock).catch((error: unknown) => {
    if (!ending.signal.aborted) logger.error({ err: error }, 'the change stream of the store broke; the server ends')
  })
  const checked = store.shared ? checkCache({ store, cache, clock, logger, metrics, signal: ending.signal }) : undefined
  const warned = (text: string) => logger.debug({ warning: text }, 'a controller was warned')
  const api = localApi(registry, API_SERVER, warned)
  if (store.shared) registry.tickets = new LeaseTickets(api, randomUUID())
  const authorities = new PublishedAuthorities()
  // A server with keys of its own for its lifetime shares them with nobody.
  const sharedKeys = store.shared && options.pki !== undefined ? new SharedKeys(api, pki) : undefined
  const abandon = (error: unknown): never => {
    ending.abort()
    following.abort()
    throw error
  }
  await sharedKeys?.check().catch(abandon)
  const duties = await openDuties(options, api, clock, logger)
  const controllers = await startControllers({
    api,
    duties,
    apiOf: (held) => localApi(registry, API_SERVER, warned, { held }),
    types,
    log: logger,
    definitions: options.definitions ?? [],
    signal: ending.signal,
    caBundle: pki.caCertificate,
    newBundles: (use) => authorities.follow(use),
    eventTtlMs: options.eventTtlMs,
    rolesLater: options.rolesLater,
    quotas,
    webhooks: calls,
    kindRoles: kindRoles(options.definitions ?? [], options.extensions ?? []),
    clock,
  }).catch(abandon)
  await sharedKeys?.record().catch(abandon)
  authorities.follow(() => sharedKeys?.recordLater(logger))
  const stopViews = keepViews(registry, hub)
  const inFlight = new InFlight(options.inFlight)
  metrics.add(inFlight)
  const responses = new ResponseBudget(clock)
  metrics.add(responses)
  const open = new OpenRequests(auth, clock)
  let draining = false
  const overview = laterOverview({ cache, types, authorizer: rights.authorizer, clock })
  const pages = new PageGuard(options.allowOrigins)
  const { handle } = new Router({
    inFlight,
    open,
    responses,
    registry,
    hub,
    auth,
    discovery: new Discovery(types),
    metrics,
    checks: healthChecks(store, cache, () => draining),
    eventsLimit: options.eventsLimit ?? EVENTS_LIMIT,
    pages,
    site: options.site,
    overview: overview.get,
    join: joinRoute({ api, keys: auth.tokenKeys, clock, log: logger, files: options.joinFiles }),
    signal: ending.signal,
    onFailure: (exchange) => logFailure(logger, exchange),
  })
  const ports = new Ports(options, { handle, pages, metrics, log: logger })
  const close = once(async () => {
    hub.close()
    auth.close()
    ending.abort()
    await ports.close()
    open.close()
    await controllers.stopped
    await duties.close()
    await peers.close()
    following.abort()
    stopViews()
    registry.pages.close()
    overview.close()
    metrics.close()
    hookClient.close()
  })
  policies.open()
  if (options.webhooks?.admission !== false) webhooks.open()
  const port = await ports.listen().catch(async (error: unknown) => {
    await close()
    throw error
  })
  const address = { host: options.host, port }
  const { secure, local } = ports
  duties.reachedAt(memberAddress(options, secure?.address))
  await controllers.listening(secure?.address ?? address)
  return {
    address,
    secure: secure && {
      address: secure.address,
      update(identity) {
        secure.update(identity)
        clientAuthorities = identity.clientAuthorities
      },
    },
    publishAuthorities: (caBundle) => authorities.publish(caBundle),
    connect: (user = ADMINISTRATOR, held) => local.open(user, held),
    api: (identity, held) => localApi(registry, identity, warned, { held }),
    configureAuthentication: (settings) => auth.configure(settings),
    account: (identity, access, held) =>
      localAccount(rights, identity, access, (user) => localApi(registry, identity, warned, { user, held })),
    serveWebhooks: (host, webhook) => hookClient.serveHere(host, webhook),
    duties,
    measure: (metric) => metrics.add(metric),
    firstOf: (wakes, signal) => firstOf(api, wakes, signal),
    drain() {
      draining = true
      duties.drain()
      ports.drain()
    },
    close,
    done: Promise.race(checked === undefined ? [followed] : [followed, checked]).then(close),
  }
}
