// A client that notes what is written with it while somebody takes notes, for the Event of a run. A write that changed nothing is
// none: its answer has the revision that the object had before. The runtime and the colony wrap their clients in it.

import type {
  ApiObject,
  CallOptions,
  Client,
  ListOptions,
  ObjectName,
  PartClient,
  ResourceClient,
  Sent,
  WatchOptions,
} from '@homeostat/client'
import type { RunWrite, WriteWord } from '@homeostat/meta/events'
import { RecentMap } from './recent-map.ts'

export interface NotedClientOptions {
  /** Takes the writes of the current run; undefined outside of runs. */
  notes(): ((write: RunWrite) => void) | undefined
  /** The object as a cache has it. */
  cached?(ref: { apiVersion: string; kind: string } & ObjectName): ApiObject | undefined
}

type Create<T extends ApiObject> = Parameters<ResourceClient<T>['create']>
type Update<T extends ApiObject> = Parameters<ResourceClient<T>['update']>
type Patch<T extends ApiObject> = Parameters<ResourceClient<T>['patch']>
type Apply<T extends ApiObject> = Parameters<ResourceClient<T>['apply']>

/** Revisions of objects without a cache that are remembered, so that a repeated write that changes nothing is noticed. */
const REMEMBERED = 1000

export function notedClient(client: Client, options: NotedClientOptions): Client {
  const revisions = new RecentMap<string>(REMEMBERED)
  const noted = <T extends ApiObject>(apiVersion: string, kind: string): ResourceClient<T> => {
    const inner = client.resourceOf<T>(apiVersion, kind)
    // Events tell of changes and are none; a Lease is a heartbeat.
    return kind === 'Event' || kind === 'Lease'
      ? inner
      : new NotedResource(inner, { apiVersion, kind }, revisions, options)
  }
  return { ...client, resourceOf: noted, resource: noted as unknown as Client['resource'] }
}

class NotedResource<T extends ApiObject> implements ResourceClient<T> {
  readonly status: PartClient<T>
  readonly scale: ResourceClient<T>['scale']
  readonly #inner: ResourceClient<T>
  readonly #kind: { readonly apiVersion: string; readonly kind: string }
  readonly #revisions: RecentMap<string>
  readonly #options: NotedClientOptions

  constructor(
    inner: ResourceClient<T>,
    kind: { readonly apiVersion: string; readonly kind: string },
    revisions: RecentMap<string>,
    options: NotedClientOptions,
  ) {
    this.#inner = inner
    this.#kind = kind
    this.#revisions = revisions
    this.#options = options
    this.status = this.#part(inner.status, 'status')
    this.scale = this.#part(inner.scale, 'scaled')
  }

  info(signal?: AbortSignal) {
    return this.#inner.info(signal)
  }

  async get(name: ObjectName, options?: CallOptions): Promise<T> {
    return this.#seen(await this.#inner.get(name, options))
  }

  async find(name: ObjectName, options?: CallOptions): Promise<T | undefined> {
    const found = await this.#inner.find(name, options)
    return found && this.#seen(found)
  }

  list(options?: ListOptions) {
    return this.#inner.list(options)
  }

  pages(options?: ListOptions) {
    return this.#inner.pages(options)
  }

  watch(options?: WatchOptions) {
    return this.#inner.watch(options)
  }

  create(...[object, options]: Create<T>): Promise<T> {
    return this.#note('created', object as Named, options, () => this.#inner.create(object, options))
  }

  update(...[object, options]: Update<T>): Promise<T> {
    return this.#note('updated', object, options, () => this.#inner.update(object, options))
  }

  patch(...[name, patch, options]: Patch<T>): Promise<T> {
    return this.#note('updated', { metadata: name }, options, () => this.#inner.patch(name, patch, options))
  }

  apply(...[object, options]: Apply<T>): Promise<T> {
    return this.#note('applied', object as Named, options, () => this.#inner.apply(object, options))
  }

  async delete(...[name, options]: Parameters<ResourceClient<T>['delete']>): Promise<void> {
    const notes = this.#options.notes()
    const isLeaving = this.#cached(name)?.metadata.deletionTimestamp !== undefined
    await this.#inner.delete(name, options)
    if (notes !== undefined && !isLeaving && !options?.dryRun) notes({ did: 'deleted', object: this.#ref(name) })
  }

  /** Which objects it deleted is not known, so that nothing is noted. */
  deleteAll(...[options]: Parameters<ResourceClient<T>['deleteAll']>): Promise<void> {
    return this.#inner.deleteAll(options)
  }

  #part<P extends ApiObject>(inner: PartClient<P>, did: WriteWord): PartClient<P> {
    return {
      get: (name, options) => inner.get(name, options),
      update: (object, options) => this.#note(did, object, options, () => inner.update(object, options)),
      patch: (name, patch, options) =>
        this.#note(did, { metadata: name }, options, () => inner.patch(name, patch, options)),
      apply: (object: Sent<P>, options) =>
        this.#note(did, object as Named, options, () => inner.apply(object, options)),
    }
  }

  async #note<P extends ApiObject>(
    did: WriteWord | 'applied',
    { metadata: sent = {} }: Named,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
    send: () => Promise<P>,
  ): Promise<P> {
    const notes = this.#options.notes()
    if (notes === undefined || dryRun) return send()
    // Asked before the write: a watch may bring its result before the answer does.
    const before = this.#before(sent)
    const answer = await send()
    const { resourceVersion, name = '', namespace } = answer.metadata
    const object = this.#ref({ name, namespace })
    if (resourceVersion !== undefined) this.#revisions.set(keyOf(object), resourceVersion)
    if (resourceVersion === before) return answer
    const word = did === 'applied' ? (before === undefined && isNew(answer) ? 'created' : 'updated') : did
    notes({ did: word, object, resourceVersion })
    return answer
  }

  #before({ name, namespace }: Partial<ObjectName>): string | undefined {
    if (name === undefined) return undefined
    const cached = this.#cached({ name, namespace })?.metadata.resourceVersion
    return cached ?? this.#revisions.get(keyOf(this.#ref({ name, namespace })))
  }

  #cached(name: ObjectName): ApiObject | undefined {
    return this.#options.cached?.({ ...this.#kind, ...name })
  }

  #seen(object: T): T {
    const { name = '', namespace, resourceVersion } = object.metadata
    const isNoted = this.#options.notes() !== undefined && resourceVersion !== undefined
    if (isNoted) this.#revisions.set(keyOf(this.#ref({ name, namespace })), resourceVersion)
    return object
  }

  #ref({ name, namespace }: ObjectName) {
    return { ...this.#kind, ...(namespace !== undefined && { namespace }), name }
  }
}

interface Named {
  readonly metadata?: Partial<ObjectName> | undefined
}

/** An object that was created just now has one generation and, by its manager alone, few managers; kinds without one say nothing. */
function isNew({ metadata }: ApiObject): boolean {
  return metadata.generation === undefined || metadata.generation === 1
}

function keyOf({ apiVersion, kind, namespace = '', name }: RunWrite['object']): string {
  return `${apiVersion}|${kind}|${namespace}|${name}`
}
