// A router on a real registry in memory, without a server, for tests with their own transport, authenticator or
// authorizer.

import { silentLog, systemClock } from '@homeostat/base'
import { MemoryStore } from '@homeostat/store'
import { onTestFinished } from 'vitest'
import { type Auth, makeAuth } from '../src/authn/auth.ts'
import type { Authorizer } from '../src/authz/authorize.ts'
import { rolesAuthorizer } from '../src/authz/rbac/roles.fixture.ts'
import { builtinTypes, serveTypes } from '../src/builtin/builtin-types.ts'
import { WatchCache } from '../src/cache/watch-cache.ts'
import { Discovery } from '../src/discovery/discovery.ts'
import { ResponseBudget } from '../src/exchange/response-budget.ts'
import { InFlight } from '../src/http/in-flight.ts'
import { OpenRequests } from '../src/http/open-requests.ts'
import { PageGuard } from '../src/http/page-guard.ts'
import { Router } from '../src/http/router.ts'
import { ServerMetrics } from '../src/ops/server-metrics.ts'
import { laterOverview } from '../src/overview/later-overview.ts'
import { localApi } from '../src/pipeline/local-api.ts'
import { ephemeralPki } from '../src/pki/pki.ts'
import { Registry } from '../src/registry/registry.ts'
import { ResourceTypes } from '../src/registry/resource-types.ts'
import { WatchHub } from '../src/watch/watch-hub.ts'

export interface Routed {
  readonly router: Router
  readonly inFlight: InFlight
}

/** Has the namespace `default`. Closes with the test. */
export async function routed(parts: { auth?: Partial<Auth>; authorizer?: Authorizer } = {}): Promise<Routed> {
  const store = new MemoryStore()
  const cache = await WatchCache.load(store)
  const types = new ResourceTypes()
  const registry = new Registry(store, cache, types, systemClock)
  const auth = makeAuth({
    registry,
    pki: await ephemeralPki(Date.now()),
    clientAuthorities: () => '',
    authorizer: parts.authorizer ?? rolesAuthorizer(),
    settings: {},
    log: silentLog,
  })
  serveTypes(types, auth.withReviewsAndTokens(builtinTypes()))
  const ending = new AbortController()
  const followed = cache.follow(store, ending.signal)
  const api = localApi(registry, { username: 'test', manager: 'test' }, () => {})
  await api.create(
    { group: '', resource: 'namespaces' },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
  )
  const hub = new WatchHub(cache, { opened: () => {}, events: () => {}, ended: () => {} })
  const metrics = new ServerMetrics(store)
  const inFlight = new InFlight()
  const authorizer = parts.authorizer ?? rolesAuthorizer()
  const overview = laterOverview({ cache, types, authorizer, clock: systemClock })
  const router = new Router({
    registry,
    hub,
    auth: { ...auth, ...parts.auth },
    discovery: new Discovery(types),
    metrics,
    checks: { healthz: [], livez: [], readyz: [] },
    pages: new PageGuard(),
    site: undefined,
    overview: overview.get,
    inFlight,
    open: new OpenRequests(auth, systemClock),
    responses: new ResponseBudget(systemClock),
    eventsLimit: 100,
    signal: ending.signal,
    onFailure: () => {},
  })
  onTestFinished(async () => {
    hub.close()
    overview.close()
    ending.abort()
    metrics.close()
    await followed
    await store.close()
  })
  return { router, inFlight }
}
