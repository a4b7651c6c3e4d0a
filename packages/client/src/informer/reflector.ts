// One connection of an informer, from the initial state to its end: reads the server's responses into the LocalCache.
// It returns when the server ends the watch and throws otherwise; recovery.ts decides what follows.

import { parseJson } from '@homeostat/meta'
import type { Client, ResourceInfo, WatchOptions } from '../api/client.ts'
import type { ApiObject } from '../api/kinds.ts'
import { firstPage, listRequest, type PageQuery, watchRequest } from '../request/read-requests.ts'
import { failureEvent } from '../response/failure.ts'
import { excerpt, readText } from '../response/read-body.ts'
import { MAX_EVENT_BYTES } from '../response/watch-events.ts'
import { EventLines } from './event-lines.ts'
import type { Selection } from './informer.ts'
import { metadataAlone, withKind } from './kept-object.ts'
import type { LocalCache } from './local-cache.ts'
import { DisorderError, type Start, StreamsIgnoredError, UnreadableError } from './recovery.ts'

export interface ReflectorOptions {
  readonly client: Client
  readonly localCache: LocalCache
  readonly apiVersion: string
  readonly kind: string
  readonly selection: Selection
  readonly info: ResourceInfo
  readonly timeoutSeconds: number
  /** The caller does not need managed fields, so they are cut out before parsing. */
  readonly withoutManagedFields: boolean
  /** Lists in pages instead of one response. */
  readonly paged: boolean
  readonly signal: AbortSignal
  /** Called for every received chunk. */
  readonly onHeard: () => void
  /** Called when the initial state is complete; the LocalCache is swapped to this revision. */
  readonly onListed: (revision: string) => void
  /** Called when the state is complete and the server has responded to the watch. */
  readonly onWatching: () => void
  /** Called when the LocalCache holds changes to deliver. */
  readonly onChanges: () => void
  /** Called for an object that had to be skipped. */
  readonly onLeftOut: (error: Error) => void
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** A server without partial metadata responds with whole objects. */
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

export class Reflector {
  readonly #options: ReflectorOptions
  #listed = false
  #progressed = false
  #answered = false

  constructor(options: ReflectorOptions) {
    this.#options = options
  }

  get listed(): boolean {
    return this.#listed
  }

  /** The server responded to the watch. */
  get answered(): boolean {
    return this.#answered
  }

  /** An event or bookmark arrived after the initial state. */
  get progressed(): boolean {
    return this.#progressed
  }

  async run(start: Start): Promise<void> {
    const { localCache } = this.#options
    try {
      if (start === 'stream') {
        localCache.stage()
        await this.#watch({ sendInitialEvents: true })
        return
      }
      if (start === 'list') await this.#list()
      this.#listed = true
      await this.#watch({ resourceVersion: localCache.revision })
    } finally {
      localCache.unstage()
    }
  }

  async #list(): Promise<void> {
    const { localCache, paged, onListed } = this.#options
    localCache.stage()
    let query: PageQuery | undefined = paged ? firstPage({}) : {}
    let revision = ''
    while (query !== undefined) {
      const page = readList(await this.#page(query))
      for (const item of page.items) this.#stage('ADDED', item)
      revision = page.resourceVersion
      query = page.continueFrom === undefined ? undefined : { limit: query.limit, continue: page.continueFrom }
    }
    onListed(revision)
  }

  async #page(query: PageQuery): Promise<unknown> {
    const { client, info, selection, signal, onHeard } = this.#options
    const request = listRequest(info, selection, query)
    const headers = selection.metadataOnly === true ? { accept: METADATA_LIST } : request.headers
    const response = await client.request({ ...request, ...(headers && { headers }), signal }, { retry: false })
    return parse(await readText({ ...response, body: heard(response.body, onHeard) }))
  }

  async #watch(from: { readonly sendInitialEvents: true } | { readonly resourceVersion: string }): Promise<void> {
    const { client, info, selection, timeoutSeconds, withoutManagedFields, signal } = this.#options
    const { onHeard, onWatching, onChanges } = this.#options
    const request = watchRequest(info, { ...selection, ...from, allowBookmarks: true, timeoutSeconds } as WatchOptions)
    const { body } = await client.request({ ...request, signal }, { retry: false })
    onHeard()
    this.#answered = true
    if (this.#listed) onWatching()
    const lines = new EventLines({ maxBytes: MAX_EVENT_BYTES, withoutManagedFields })
    const onLine = (line: string) => this.#line(line)
    for await (const chunk of body) {
      onHeard()
      try {
        lines.push(chunk, onLine)
      } finally {
        onChanges()
      }
      signal.throwIfAborted()
    }
  }

  #line(line: string): void {
    const { type, object } = readEvent(parse(line))
    if (type === 'ERROR') throw failureEvent(object)
    if (type === 'BOOKMARK') this.#bookmark(object as ApiObject)
    else if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
      throw new UnreadableError(`The server sent an event of the unknown type ${JSON.stringify(type)}.`)
    } else if (!this.#listed) this.#stage(type, object)
    else this.#event(type, object)
  }

  #bookmark({ metadata }: ApiObject): void {
    const revision = metadata?.resourceVersion
    if (this.#listed) {
      this.#progressed = true
      this.#options.localCache.advance(revision)
    } else if (metadata?.annotations?.[INITIAL_EVENTS_END] === 'true' && revision !== undefined) {
      this.#listed = true
      this.#options.onListed(revision)
      this.#options.onWatching()
    } else throw new StreamsIgnoredError('The server sends no end of the initial events.')
  }

  #event(type: EventType, object: unknown): void {
    const { localCache } = this.#options
    if (!isNamed(object)) throw new DisorderError(`The server sent an event (${type}) of an object without a name.`)
    if (!localCache.event(type, this.#asKind(object))) {
      const { namespace = '', name, resourceVersion } = object.metadata
      throw new DisorderError(
        `The server sent ${type} of ${namespace}/${name} at revision ${resourceVersion} after ${localCache.revision}.`,
      )
    }
    this.#progressed = true
  }

  /** Skips an object without a name: one bad object must not break the list. */
  #stage(type: EventType, object: unknown): void {
    const { localCache, onLeftOut } = this.#options
    if (isNamed(object)) localCache.stageObject(type, this.#asKind(object))
    else onLeftOut(new UnreadableError('The server lists an object without a name; it is left out.'))
  }

  #asKind(object: ApiObject): ApiObject {
    const { apiVersion, kind, selection } = this.#options
    const typed = withKind(object, apiVersion, kind)
    return selection.metadataOnly === true ? metadataAlone(typed) : typed
  }
}

async function* heard(body: AsyncIterable<Uint8Array>, onHeard: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    onHeard()
    yield chunk
  }
}

interface Page {
  readonly items: readonly unknown[]
  readonly resourceVersion: string
  readonly continueFrom: string | undefined
}

function readList(value: unknown): Page {
  const { items, metadata } = (value ?? {}) as {
    items?: unknown
    metadata?: { resourceVersion?: unknown; continue?: unknown }
  }
  const resourceVersion = metadata?.resourceVersion
  if (typeof resourceVersion !== 'string' || (items !== null && items !== undefined && !Array.isArray(items))) {
    throw new UnreadableError('The server answered a list with something else.')
  }
  const continueFrom = metadata?.continue
  return {
    // Go writes an empty list as null.
    items: items ?? [],
    resourceVersion,
    continueFrom: typeof continueFrom === 'string' && continueFrom !== '' ? continueFrom : undefined,
  }
}

function readEvent(value: unknown): { type: unknown; object: unknown } {
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown }
  if (typeof object !== 'object' || object === null) {
    throw new UnreadableError('The server sent an event without an object.')
  }
  return { type, object }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new UnreadableError(`The server sent what is not JSON: ${excerpt(text)}`, {
      cause: error,
    })
  }
}

function isNamed(object: unknown): object is ApiObject {
  if (typeof object !== 'object' || object === null) return false
  const { metadata } = object as { metadata?: { name?: unknown } | null }
  return typeof metadata?.name === 'string' && metadata.name !== ''
}
