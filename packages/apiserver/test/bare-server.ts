// A server of several on a store, without HTTP, controllers and rights: the real cache, registry, pipeline, freshness, tickets, duties
// and watches. The cluster model runs thousands of them. `read` answers as GET does.

import { type Clock, silentLog } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { tooLargeResourceVersion } from '@homeostat/meta/server'
import type { Store } from '@homeostat/store'
import { builtinTypes, serveTypes } from '../src/builtin/builtin-types.ts'
import { withServiceAddresses } from '../src/builtin/rules/service-type.ts'
import { WatchCache } from '../src/cache/watch-cache.ts'
import { DefinitionController } from '../src/controllers/definition-controller.ts'
import { ensureDefinitions } from '../src/controllers/ensure-definitions.ts'
import { ServedDefinitions } from '../src/controllers/served-definitions.ts'
import { SharedDuties } from '../src/duties/shared-duties.ts'
import type { Held } from '../src/identity/held.ts'
import { LeaseTickets } from '../src/pipeline/lease-tickets.ts'
import { localApi } from '../src/pipeline/local-api.ts'
import type { Api, ObjectName, ResourceName } from '../src/registry/api.ts'
import { listObjects } from '../src/registry/list.ts'
import { type ObjectFilter, objectFilter } from '../src/registry/object-filter.ts'
import { Registry } from '../src/registry/registry.ts'
import type { ResourceType } from '../src/registry/resource-type.ts'
import { ResourceTypes } from '../src/registry/resource-types.ts'
import type { TypeRules } from '../src/registry/type-rules.ts'
import { Watch } from '../src/watch/watch.ts'
import { jsonEncoder } from '../src/watch/watch-event.ts'
import { WatchHub } from '../src/watch/watch-hub.ts'
import { EventSink } from './event-sink.ts'

/** `newest`: no resourceVersion; `any`: resourceVersion=0. */
export type Demands = 'newest' | 'any'

export interface BareServerOptions {
  readonly store: Store
  readonly clock: Clock
  /** Of this process alone. */
  readonly id: string
  readonly rules?: readonly TypeRules[]
}

export { passedOn } from '../src/peers/pass-on.ts'

/** Made once for all servers of a process: they hold no state. */
const KINDS = builtinTypes()

export class BareServer {
  readonly api: Api
  readonly registry: Registry
  readonly duties: SharedDuties
  /** Rejects when the stream of the store breaks for good, upon which a server ends. */
  readonly followed: Promise<void>
  readonly #types: ResourceTypes
  readonly #served: ServedDefinitions
  readonly #clock: Clock
  readonly #hub: WatchHub
  readonly #following = new AbortController()
  readonly #user: string

  private constructor({ store, clock, id, rules }: BareServerOptions, cache: WatchCache) {
    const types = new ResourceTypes([], rules)
    this.#types = types
    this.#clock = clock
    this.#user = id
    this.registry = new Registry(store, cache, types, clock)
    serveTypes(types, withServiceAddresses(KINDS, this.registry))
    this.api = this.apiOf()
    this.#served = new ServedDefinitions({ api: this.api, types, log: silentLog })
    this.registry.tickets = new LeaseTickets(this.api, id)
    this.#hub = new WatchHub(cache, { opened() {}, events() {}, ended() {} })
    this.followed = cache.follow(store, this.#following.signal, clock)
    this.duties = new SharedDuties({ api: this.api, clock, log: silentLog, id })
  }

  static async start(options: BareServerOptions): Promise<BareServer> {
    return new BareServer(options, await WatchCache.load(options.store))
  }

  /** Makes the definitions, and serves their kinds, here and on all servers. */
  async establish(definitions: readonly KubeObject[]): Promise<void> {
    const ending = new AbortController()
    const options = { api: this.api, types: this.#types, served: this.#served, log: silentLog, clock: this.#clock }
    const controlling = new DefinitionController(options).start(ending.signal)
    await ensureDefinitions(this.api, this.#served, definitions, ending.signal)
    ending.abort()
    await controlling
  }

  /** An Api whose writes stand on what is held. */
  apiOf(held?: Held): Api {
    return localApi(this.registry, { username: this.#user, manager: 'bare' }, () => {}, { held })
  }

  async read(resource: ResourceName, name: ObjectName, demands: Demands): Promise<KubeObject | undefined> {
    if (demands === 'newest') await this.registry.freshness?.newest()
    return this.api.get(resource, name)
  }

  async list(
    resource: ResourceName,
    namespace: string,
    demands: Demands,
  ): Promise<{ revision: number; items: KubeObject[] }> {
    if (demands === 'newest') await this.registry.freshness?.newest()
    const type = this.#typeOf(resource)
    const filter = filterOf(type, namespace)
    const query = { limit: 0, continue: '', resourceVersion: demands === 'any' ? '0' : '', resourceVersionMatch: '' }
    const { revision, objects, tree } = await listObjects(this.registry, type, filter, query)
    const found = [...(objects ?? tree.objects(filter.prefix))]
    return { revision, items: found.map((object) => this.registry.parse(object)) }
  }

  /** A watch after the revision; ends with the sink. Rejects as the request would be refused. */
  async watch(resource: ResourceName, namespace: string, revision: number): Promise<EventSink> {
    const { registry } = this
    if (revision > registry.cache.revision) await registry.freshness?.newest()
    if (revision > registry.cache.revision) throw tooLargeResourceVersion(revision, registry.cache.revision)
    const type = this.#typeOf(resource)
    const sink = new EventSink(() => watch.bookmark(registry.cache.revision))
    const encoder = jsonEncoder(`${type.group}/${type.version}`, type.kind)
    const watch: Watch = new Watch(this.#hub, type, registry.resource(type), filterOf(type, namespace), encoder, sink, {
      initialEvents: false,
      revision,
      bookmarks: true,
      markInitialEnd: false,
      deadline: Number.POSITIVE_INFINITY,
    })
    this.#hub.add(watch)
    sink.onClose(() => watch.end('closed'))
    void watch.run(registry.cache, registry.store)
    return sink
  }

  /** Frees what lives outside of this object. Waits for nothing. */
  close(): void {
    this.#following.abort()
    this.#hub.close()
    this.#served.close()
    this.registry.pages.close()
  }

  #typeOf({ group, resource }: ResourceName): ResourceType {
    const type = this.registry.types.stored(group, resource)
    if (type === undefined) throw new Error(`nothing serves ${resource}`)
    return type
  }
}

function filterOf(type: ResourceType, namespace: string): ObjectFilter {
  return objectFilter(type, namespace, null, null)
}
