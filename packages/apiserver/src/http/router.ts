// Routes every request: authenticates, authorizes, finds the handler, then counts and logs the request.

import { badRequest, isStatusError, parseGoDuration } from '@homeostat/meta'
import type { Auth } from '../authn/auth.ts'
import type { Attributes } from '../authz/authorize.ts'
import { grantHint, requirePermission } from '../authz/require-permission.ts'
import type { Discovery } from '../discovery/discovery.ts'
import { EVENT_STREAM, streamEvents } from '../event-stream/event-stream.ts'
import { recentEvents } from '../event-stream/recent-events.ts'
import { AuditIds } from '../exchange/audit-ids.ts'
import { BatchRequests } from '../exchange/batch-requests.ts'
import { Exchange, type ExchangeParts } from '../exchange/exchange.ts'
import type { ResponseBudget } from '../exchange/response-budget.ts'
import type { Transport } from '../exchange/transport.ts'
import type { WaitingBudget } from '../exchange/waiting-budget.ts'
import { ADMINISTRATOR, ANONYMOUS, type User } from '../identity/user.ts'
import { type HealthCheck, type HealthKind, healthResponse } from '../ops/health.ts'
import { landing } from '../ops/landing.ts'
import { METRICS_CONTENT_TYPE, type ServerMetrics } from '../ops/server-metrics.ts'
import { versionInfo } from '../ops/version.ts'
import type { Overview } from '../overview/overview.ts'
import { OVERVIEW_PATH } from '../overview/overview-path.ts'
import type { Registry } from '../registry/registry.ts'
import { readAs } from '../registry/versions.ts'
import { Negotiation } from '../represent/representation.ts'
import { YamlWorkers } from '../represent/yaml.ts'
import type { WatchHub } from '../watch/watch-hub.ts'
import { authorizeRequest } from './authorize-request.ts'
import { ConnectCalls } from './connect-handler.ts'
import { handleDiscovery } from './discovery-handler.ts'
import { type InFlight, isLongRunning } from './in-flight.ts'
import type { OpenRequests } from './open-requests.ts'
import type { OpenApiHandler } from './openapi-handler.ts'
import { handleOpenid } from './openid-handler.ts'
import type { PageGuard } from './page-guard.ts'
import { type RequestPath, RequestPaths } from './request-path.ts'
import { handleResource } from './resource-handler.ts'
import { SharedEntry } from './shared-entry.ts'
import { answerOrPass, isBelow, isVisit, type Site } from './site.ts'
import { takeBearerProtocol } from './upgrade.ts'

export interface RouterParts {
  readonly registry: Registry
  readonly hub: WatchHub
  readonly auth: Auth
  readonly discovery: Discovery
  readonly metrics: ServerMetrics
  readonly checks: Readonly<Record<HealthKind, readonly HealthCheck[]>>
  readonly pages: PageGuard
  readonly site: Site | undefined
  /** Loaded with the first question. */
  readonly overview: () => Promise<Overview>
  /** Gives a new server the keys, in front of authentication. Undefined: nobody gets them. */
  readonly join?: ((exchange: Exchange) => Promise<void>) | undefined
  readonly inFlight: InFlight
  readonly open: OpenRequests
  /** The budget of bytes for large responses in flight. */
  readonly responses: ResponseBudget
  /** The most events that /events returns. */
  readonly eventsLimit: number
  /** Aborts when the server closes. */
  readonly signal: AbortSignal
  /** Called for responses that are the server's own fault and for other failures worth logging. */
  onFailure(exchange: Exchange): void
}

/** Of join-handler.ts. */
const JOIN_PATH = '/homeostat/join'
const MANAGED_BY = 'app.kubernetes.io/managed-by'

export class Router {
  readonly #parts: RouterParts
  readonly #exchanges: ExchangeParts
  readonly #paths = new RequestPaths()
  readonly #connects: ConnectCalls
  /** Undefined on a store of one server. */
  readonly #shared: SharedEntry | undefined
  #openapiHandler: Promise<OpenApiHandler> | undefined

  constructor(parts: RouterParts) {
    this.#parts = parts
    const { freshness, cache } = parts.registry
    this.#shared = freshness && new SharedEntry(freshness, () => cache.revision)
    this.#connects = new ConnectCalls(parts.signal, parts.auth)
    this.#exchanges = {
      responses: parts.responses,
      auditIds: new AuditIds(),
      batch: new BatchRequests(),
      negotiation: new Negotiation(),
      yaml: new YamlWorkers(),
      onAnswered: (exchange) => this.#count(exchange),
    }
  }

  readonly handle = (transport: Transport): void => {
    this.#answer(new Exchange(transport, this.#exchanges))
  }

  #answer(exchange: Exchange): void {
    const { request, response } = exchange
    const { pages, site, join } = this.#parts
    try {
      response.cors = pages.answerHeaders(request.headers)
      const refusal = pages.refuse(request, site !== undefined && isVisit(site, request))
      if (refusal) throw refusal
      const preflight = pages.preflight(request)
      if (preflight) response.sendEmpty(204, preflight)
      else if (join !== undefined && request.pathname === JOIN_PATH) void this.#join(exchange, join)
      else if (site !== undefined && isBelow(site, request)) void this.#ask(exchange, site)
      else this.#authenticate(exchange)
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  async #join(exchange: Exchange, join: NonNullable<RouterParts['join']>): Promise<void> {
    await join(exchange).catch((error: unknown) => this.#fail(exchange, error))
  }

  async #ask(exchange: Exchange, site: Site): Promise<void> {
    try {
      if (!(await answerOrPass(site, exchange))) return
      const passed = new Exchange(exchange.transport, this.#exchanges)
      passed.response.cors = exchange.response.cors
      this.#authenticate(passed)
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  #authenticate(exchange: Exchange): void {
    const { request, transport } = exchange
    try {
      if (transport.upgrade) takeBearerProtocol(request)
      if (this.#shared !== undefined) {
        this.#enterShared(this.#shared, exchange).catch((error: unknown) => this.#fail(exchange, error))
        return
      }
      const user = this.#parts.auth.authenticate(request)
      const work =
        user instanceof Promise
          ? this.#when(exchange, user, (known) => this.#route(exchange, known))
          : this.#route(exchange, user)
      if (work !== undefined) work.catch((error: unknown) => this.#fail(exchange, error))
    } catch (error) {
      this.#fail(exchange, error)
    }
  }

  #route(exchange: Exchange, user: User): Promise<void> | undefined {
    exchange.user = user
    const target = this.#parse(exchange.request.pathname)
    if (exchange.request.hasQuery) checkTimeout(exchange)
    const allowed = user === ADMINISTRATOR ? undefined : authorizeRequest(exchange, target, this.#parts.auth.authorizer)
    if (allowed === undefined) return this.#admit(exchange, target)
    return this.#when(exchange, allowed, () => this.#admit(exchange, target))
  }

  /** As `#route`, on a store that other servers write to. */
  async #enterShared(shared: SharedEntry, exchange: Exchange): Promise<void> {
    const { auth, registry } = this.#parts
    const { request } = exchange
    const target = this.#parse(request.pathname)
    if (request.hasQuery) checkTimeout(exchange)
    await shared.pass(exchange, async () => {
      exchange.user = await auth.authenticate(request)
      if (exchange.user !== ADMINISTRATOR) await authorizeRequest(exchange, target, auth.authorizer)
      if (target.kind !== 'resource') return true
      const { group, version, resource } = target.path
      return registry.types.find(group, version, resource) !== undefined
    })
    if (exchange.transport.isGone) exchange.answered()
    else await this.#admit(exchange, target)
  }

  #parse(pathname: string): RequestPath {
    try {
      return this.#paths.parse(pathname)
    } catch {
      throw badRequest(`the path ${pathname} has a broken escape sequence`)
    }
  }

  #admit(exchange: Exchange, target: RequestPath): Promise<void> | undefined {
    if (exchange.user !== ADMINISTRATOR && isLongRunning(exchange, target)) this.#parts.open.add(exchange, target)
    const lane = this.#parts.inFlight.laneOf(exchange, target)
    // Pipelined requests may use half of the limit and leave the rest to other clients.
    const { isBehind } = exchange.transport
    if (lane !== undefined && ((isBehind && lane.isHalfTaken) || !lane.tryTake(1)))
      return this.#when(exchange, this.#wait(exchange, lane), () => this.#handle(exchange, target))
    exchange.lane = lane
    return this.#handle(exchange, target)
  }

  async #wait(exchange: Exchange, lane: WaitingBudget): Promise<void> {
    await exchange.transport.turn()
    await lane.take(1)
    exchange.lane = lane
  }

  /** Continues when the promise resolves, unless the client has disconnected meanwhile. */
  async #when<T>(exchange: Exchange, ready: Promise<T>, next: (value: T) => Promise<void> | undefined): Promise<void> {
    const value = await ready
    if (exchange.transport.isGone) exchange.answered()
    else await next(value)
  }

  #handle(exchange: Exchange, target: RequestPath): Promise<void> | undefined {
    const { registry, hub } = this.#parts
    if (target.kind === 'resource') return handleResource(exchange, registry, hub, target.path, this.#connects)
    exchange.verb = exchange.request.method.toLowerCase()
    if (exchange.request.pathname === OVERVIEW_PATH) return this.#overview(exchange)
    if (target.kind === 'discovery') return handleDiscovery(exchange, this.#parts.discovery, registry.types, target)
    return this.#other(exchange)
  }

  #other(exchange: Exchange): Promise<void> | undefined {
    const { registry, metrics, signal } = this.#parts
    const [, first = '', second] = exchange.request.pathname.split('/', 3)
    // Only some paths have a second segment: /healthz/CHECK, /openapi/v3.
    if (second && !LONGER.has(first)) return exchange.response.notFound() as undefined
    if (exchange.request.method !== 'GET' && exchange.request.method !== 'HEAD')
      return exchange.response.notFound() as undefined
    switch (first) {
      case '':
        return exchange.response.sendJson(200, landing(registry.types)) as undefined
      case 'healthz':
      case 'livez':
      case 'readyz':
        return this.#health(exchange, first, second)
      case 'version':
        return exchange.response.sendJson(200, versionInfo()) as undefined
      case 'metrics':
        return metrics.scrape().then((text) => exchange.response.sendText(200, text, METRICS_CONTENT_TYPE))
      case 'openapi':
        return this.#openapi(exchange)
      case '.well-known':
      case 'openid':
        return handleOpenid(exchange, this.#parts.auth.tokenKeys) as undefined
      case 'crd':
        return this.#listDefinitions(exchange)
      case 'watch':
        if (exchange.request.method === 'HEAD') return exchange.response.sendText(200, '', EVENT_STREAM) as undefined
        exchange.verb = 'watch'
        return streamEvents(exchange, registry, this.#parts.auth.authorizer, signal)
      case 'events':
        return recentEvents(exchange, registry, this.#parts.auth.authorizer, this.#parts.eventsLimit, signal)
      default:
        return exchange.response.notFound() as undefined
    }
  }

  async #overview(exchange: Exchange): Promise<void> {
    const { request, response, user } = exchange
    if (request.method !== 'GET') return response.notFound()
    const namespace = request.hasQuery ? request.param('namespace') : ''
    const overview = await this.#parts.overview()
    response.sendJson(200, await overview.answer(user, namespace === '' ? undefined : namespace))
  }

  #health(exchange: Exchange, kind: HealthKind, only: string | undefined): undefined {
    const exclude = exchange.request.hasQuery ? exchange.request.query.getAll('exclude') : []
    const verbose = exchange.request.hasQuery && exchange.request.query.has('verbose')
    const answer = healthResponse(kind, this.#parts.checks[kind], {
      verbose,
      exclude,
      withholdReasons: exchange.user === ANONYMOUS,
      ...(only !== undefined && only !== '' && { only }),
    })
    exchange.response.sendText(answer.status, answer.body, answer.contentType)
  }

  /** Loaded with the first request for it, to keep the start fast. */
  async #openapi(exchange: Exchange): Promise<void> {
    this.#openapiHandler ??= import('./openapi-handler.ts').then(
      ({ OpenApiHandler }) => new OpenApiHandler(this.#parts.registry.types),
    )
    const handler = await this.#openapiHandler
    await handler.handle(exchange)
  }

  /** Whoever may open the path must be allowed to list definitions, too. */
  #listDefinitions(exchange: Exchange): Promise<void> | undefined {
    const { user } = exchange
    if (user === ADMINISTRATOR) return this.#definitions(exchange)
    const allowed = requirePermission(this.#parts.auth.authorizer, user, LIST_DEFINITIONS)
    return allowed === undefined ? this.#definitions(exchange) : allowed.then(() => this.#definitions(exchange))
  }

  /** Lists the CustomResourceDefinitions without those that the server creates itself. */
  #definitions(exchange: Exchange): undefined {
    const { registry } = this.#parts
    const type = registry.types.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (!type) return exchange.response.notFound() as undefined
    const items = [...registry.resource(type).tree.objects()]
      .filter(({ labels }) => labels?.[MANAGED_BY] !== 'homeostat')
      .map((object) => readAs(object, type))
    const kind = 'CustomResourceDefinitionList'
    exchange.response.sendJson(200, { apiVersion: 'apiextensions.k8s.io/v1', kind, metadata: {}, items })
  }

  #fail(exchange: Exchange, error: unknown): void {
    const hint = grantHint(error)
    // kubectl shows warnings, and of a Forbidden only the message.
    if (hint !== undefined) exchange.response.warn(hint)
    exchange.fail(error)
    // A Status without a reason is a client's mistake that Kubernetes answers with 500.
    if (!exchange.failure || exchange.failure.code < 500 || exchange.failure.status.reason === undefined) return
    if (!isStatusError(error)) exchange.failure.cause = error
    this.#parts.onFailure(exchange)
  }

  #count(exchange: Exchange): void {
    this.#parts.open.remove(exchange)
    exchange.lane?.give(1)
    exchange.lane = undefined
    const seconds = exchange.verb === 'watch' ? undefined : (performance.now() - exchange.started) / 1000
    this.#parts.metrics.requests.count(
      exchange.type,
      exchange.verb,
      exchange.subresource,
      exchange.transport.status,
      seconds,
    )
  }
}

const LIST_DEFINITIONS: Attributes = {
  verb: 'list',
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  subresource: '',
  namespace: '',
  name: '',
}

const LONGER: ReadonlySet<string> = new Set(['healthz', 'livez', 'readyz', 'openapi', '.well-known', 'openid'])

function checkTimeout(exchange: Exchange): void {
  const timeout = exchange.request.query.get('timeout')
  // A watch has its own timeout.
  if (timeout === null || timeout === '' || exchange.request.flag('watch')) return
  if (parseGoDuration(timeout) !== undefined) return
  const problem = /^[-+]?[\d.]+$/.test(timeout) ? 'missing unit in duration' : 'invalid duration'
  throw badRequest(`invalid timeout specified in the request URL - time: ${problem} ${JSON.stringify(timeout)}`)
}
