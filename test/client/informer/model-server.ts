// A server that is nothing but a history, for tests that need every fault in every order. It is a Client to the
// informer, with streams that deliver, break and lie when they are told to.

import type { ApiObject, Client, ResourceInfo, TransportRequest, TransportResponse } from '@homeostat/client'
import { type Status, StatusError } from '@homeostat/meta'

interface Entry {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  readonly object: ApiObject
}

export type Refusal = 401 | 403 | 404 | 410 | 429 | 500 | 503 | 'broken'

export class ModelServer {
  readonly objects = new Map<string, ApiObject>()
  readonly streams = new Set<ModelStream>()
  streaming = true
  /** A list by events ends with the next delivery only. */
  slowLists = false
  pageSize = 3
  refusal: Refusal | undefined
  served = true
  requests = 0
  #history: Entry[] = []
  #revision: number
  #compacted = 0
  #uids = 0

  constructor(firstRevision = 7) {
    this.#revision = firstRevision
  }

  get revision(): number {
    return this.#revision
  }

  write(name: string, data: string, step = 1): ApiObject {
    const before = this.objects.get(name)
    this.#revision += step
    const uid = before?.metadata.uid ?? `uid-${this.#uids++}`
    const object: ApiObject & { data: string } = {
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name, namespace: 'default', uid, resourceVersion: `${this.#revision}`, managedFields: [{}] },
      data,
    }
    this.objects.set(name, object)
    this.#history.push({ type: before === undefined ? 'ADDED' : 'MODIFIED', revision: this.#revision, object })
    return object
  }

  /** The revision of the removal. */
  delete(name: string): string | undefined {
    const before = this.objects.get(name)
    if (before === undefined) return undefined
    this.#revision++
    this.objects.delete(name)
    const metadata = { ...before.metadata, resourceVersion: `${this.#revision}` }
    this.#history.push({ type: 'DELETED', revision: this.#revision, object: { ...before, metadata } })
    return metadata.resourceVersion
  }

  /** Changes of other kinds raise the revision too. */
  otherWrite(): void {
    this.#revision++
  }

  /** Another server answers from now on. */
  replaceBy(other: ModelServer): void {
    for (const stream of [...this.streams]) stream.end(new Error('reset'))
    Object.assign(this.client, other.client)
  }

  /** Forgets history; streams that are behind get 410. */
  compact(): void {
    this.#compacted = this.#revision
    for (const stream of [...this.streams]) if (stream.position < this.#compacted) stream.fail(410)
  }

  after(revision: number): readonly Entry[] {
    return this.#history.filter((entry) => entry.revision > revision)
  }

  deliver(most = Number.POSITIVE_INFINITY): void {
    for (const stream of this.streams) stream.deliver(most)
  }

  readonly client: Client = {
    resource: unsupported,
    resourceOf: unsupported,
    requestJson: unsupported,
    over: unsupported,
    resources: unsupported,
    discover: async () => {
      this.requests++
      this.#refuse()
      return this.served ? THINGS : undefined
    },
    request: async (request) => {
      this.requests++
      request.signal?.throwIfAborted()
      this.#refuse()
      if (!this.served) throw failure(404)
      const url = new URL(request.path, 'http://model')
      return url.searchParams.has('watch') ? this.#watch(request, url.searchParams) : this.#list(url.searchParams)
    },
    transport: { send: unsupported, close() {} },
    close() {},
  }

  #refuse(): void {
    if (this.refusal === 'broken') throw new Error('the connection broke')
    if (this.refusal !== undefined) throw failure(this.refusal)
  }

  #list(query: URLSearchParams): TransportResponse {
    const [at, from] = (query.get('continue') ?? `${this.#revision}`).split(':')
    if (Number(at) < this.#compacted) throw failure(410)
    const limit = query.has('limit') ? this.pageSize : Number.POSITIVE_INFINITY
    const all = [...this.#picture(Number(at)).values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    const rest = all.filter((object) => from === undefined || nameOf(object) > from)
    const items = rest.slice(0, limit)
    const last = items.at(-1)
    const more = rest.length > items.length && last !== undefined ? { continue: `${at}:${nameOf(last)}` } : {}
    return answer([JSON.stringify({ metadata: { resourceVersion: at, ...more }, items })])
  }

  #watch(request: TransportRequest, query: URLSearchParams): TransportResponse {
    const initial = query.get('sendInitialEvents') === 'true'
    if (initial && !this.streaming) throw failure(422)
    const from = initial ? this.#revision : Number(query.get('resourceVersion'))
    if (from < this.#compacted) throw failure(410)
    if (from > this.#revision) throw failure(504, 'Too large resource version')
    const stream = new ModelStream(this, from, request.signal)
    this.streams.add(stream)
    if (initial) {
      for (const object of this.#picture(from).values()) stream.sendInitial(object)
      stream.listing = true
      if (!this.slowLists) stream.deliver(0)
    }
    return { status: 200, header: () => undefined, body: stream }
  }

  #picture(revision: number): Map<string, ApiObject> {
    if (revision === this.#revision) return this.objects
    const picture = new Map<string, ApiObject>()
    for (const entry of this.#history) {
      if (entry.revision > revision) break
      if (entry.type === 'DELETED') picture.delete(nameOf(entry.object))
      else picture.set(nameOf(entry.object), entry.object)
    }
    return picture
  }
}

/** One watch. Its bytes are cut in the middle of lines. */
class ModelStream implements AsyncIterable<Uint8Array> {
  position: number
  silent = false
  /** The end of the initial events has not been sent. */
  listing = false
  readonly #server: ModelServer
  readonly #signal: AbortSignal | undefined
  readonly #sent: object[] = []
  #chunks: Uint8Array[] = []
  #end: Error | 'clean' | undefined
  #wake: () => void = () => {}

  constructor(server: ModelServer, position: number, signal: AbortSignal | undefined) {
    this.#server = server
    this.position = position
    this.#signal = signal
  }

  deliver(most: number): void {
    if (this.silent) return
    if (this.listing) this.bookmark({ 'k8s.io/initial-events-end': 'true' })
    this.listing = false
    for (const { type, object, revision } of this.#server.after(this.position).slice(0, most)) {
      this.#sendChange({ type, object })
      this.position = revision
    }
  }

  sendInitial(object: ApiObject): void {
    this.#sendChange({ type: 'ADDED', object })
  }

  /** Sends again one of the changes that it sent before. */
  replay(nth: number): void {
    const event = this.#sent[nth % Math.max(1, this.#sent.length)]
    if (event !== undefined && !this.silent) this.send(event)
  }

  #sendChange(event: object): void {
    this.#sent.push(event)
    this.send(event)
  }

  send(event: object): void {
    this.sendText(`${JSON.stringify(event)}\n`)
  }

  sendText(text: string): void {
    const bytes = new TextEncoder().encode(text)
    const cut = bytes.length >> 1
    this.#chunks.push(bytes.subarray(0, cut), bytes.subarray(cut))
    this.#wake()
  }

  bookmark(annotations?: object): void {
    if (this.listing && annotations === undefined) return
    const metadata = { resourceVersion: `${this.position}`, ...(annotations && { annotations }) }
    this.send({ type: 'BOOKMARK', object: { kind: 'Thing', apiVersion: 'v1', metadata } })
  }

  /** An ERROR event and the end. */
  fail(code: number): void {
    this.send({ type: 'ERROR', object: statusOf(code) })
    this.end('clean')
  }

  end(how: Error | 'clean'): void {
    this.#end = how
    this.#server.streams.delete(this)
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const onAbort = () => this.end(this.#signal?.reason as Error)
    this.#signal?.addEventListener('abort', onAbort)
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk !== undefined && this.#signal?.aborted !== true) yield chunk
        else if (this.#end === 'clean') return
        else if (this.#end !== undefined) throw this.#end
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
    } finally {
      this.#signal?.removeEventListener('abort', onAbort)
      this.#server.streams.delete(this)
    }
  }
}

const THINGS: ResourceInfo = {
  group: '',
  version: 'v1',
  resource: 'things',
  kind: 'Thing',
  singular: 'thing',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  subresources: [],
}

function nameOf({ metadata: { name = '' } }: ApiObject): string {
  return name
}

function statusOf(code: number, message = `answered ${code}`): Status {
  const reason = code === 410 ? 'Expired' : code === 404 ? 'NotFound' : 'InternalError'
  const details = code === 429 ? { retryAfterSeconds: 2 } : {}
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, details }
}

function failure(code: number, message?: string): StatusError {
  return new StatusError(statusOf(code, message))
}

function answer(texts: readonly string[]): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield new TextEncoder().encode(text)
  }
  return { status: 200, header: () => undefined, body: body() }
}

function unsupported(): never {
  throw new Error('the model does not do this')
}
