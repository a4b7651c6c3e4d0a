// The client's interface. A failure that the server reports is a `StatusError` of @homeostat/meta
// (`isStatusError(error, 'NotFound')`); a failure to reach the server is a `ConnectionError` with a cause.

import type { ObjectName } from '@homeostat/meta'
import type { ApiObject, KindName, ObjectList, ObjectOf } from './kinds.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface Client {
  /** The calls on a kind. The first call discovers its URL and caches it. */
  resource<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
  ): ResourceClient<ObjectOf<A, K>>
  /** The same with the caller's own type. */
  resourceOf<T extends ApiObject>(apiVersion: string, kind: string): ResourceClient<T>
  /** Looks a kind up by discovery; undefined when the server does not serve it, which is not cached. */
  discover(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceInfo | undefined>
  /** Everything that the server serves, in its order: of one group the preferred version first. */
  resources(signal?: AbortSignal): Promise<ResourceInfo[]>
  /** Sends any request with the client's credentials and retries. Throws for a status of 400 and above. */
  request(request: TransportRequest, options?: RequestOptions): Promise<TransportResponse>
  /** The same, with the response parsed as JSON. */
  requestJson(request: TransportRequest): Promise<unknown>
  readonly transport: Transport
  /** A client with the same options and rate limit over another transport, e.g. one that wraps this client's. */
  over(transport: Transport): Client
  close(): void
}

export interface RequestOptions {
  /** Default true. False for callers with their own backoff that need to see each failure. */
  readonly retry?: boolean
}

export interface ResourceInfo {
  readonly group: string
  readonly version: string
  /** The plural in URLs. */
  readonly resource: string
  readonly kind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  /** Names of several kinds together, e.g. `all`. */
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  /** Names of subresources, e.g. `status`, `scale`. */
  readonly subresources: readonly string[]
}

export type { ObjectName }

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string
  readonly dryRun?: boolean
  /** Default: the server's, which is Warn. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface SelectOptions {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface ListOptions extends CallOptions, SelectOptions {
  /** Objects per request. Default 500. */
  readonly limit?: number
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface WatchOptions extends CallOptions, SelectOptions {
  readonly resourceVersion?: string
  readonly allowBookmarks?: boolean
  /** Starts with the existing objects as events, followed by a bookmark that ends them. */
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
  /** Only metadata, as PartialObjectMetadata. */
  readonly metadataOnly?: boolean
  /** Another form of the objects, as the Accept header names it, e.g. a Table. */
  readonly accept?: string
  /** What the rows of a Table bring of their objects. Default Metadata. */
  readonly includeObject?: 'Metadata' | 'Object' | 'None'
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: T
}

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  readonly dryRun?: boolean
}

export type PatchType = 'merge' | 'json' | 'strategic'

/**
 * An object to send: fields that the server fills in may be missing, undefined fields are not sent, and apiVersion and
 * kind may have wider types than in responses.
 */
export type Sent<T> = T extends object
  ? { [K in keyof T]?: (K extends 'apiVersion' | 'kind' ? string : Sent<T[K]>) | undefined }
  : T

export interface ResourceClient<T> {
  info(signal?: AbortSignal): Promise<ResourceInfo>
  get(name: ObjectName, options?: CallOptions): Promise<T>
  /** Undefined when the object does not exist. */
  find(name: ObjectName, options?: CallOptions): Promise<T | undefined>
  /** Reads all objects, page by page. */
  list(options?: ListOptions): Promise<ObjectList<T>>
  pages(options?: ListOptions): AsyncIterable<ObjectList<T>>
  /**
   * Runs one watch: it ends when the server ends it and throws a StatusError for an ERROR event. An Informer
   * reconnects.
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>
  create(object: Sent<T>, options?: WriteOptions): Promise<T>
  update(object: T, options?: WriteOptions): Promise<T>
  patch(name: ObjectName, patch: unknown, options?: WriteOptions & { readonly type?: PatchType }): Promise<T>
  /** Server-side apply; `fieldManager` is required. */
  apply(object: Sent<T>, options: ApplyOptions): Promise<T>
  delete(name: ObjectName, options?: DeleteOptions): Promise<void>
  deleteAll(options: SelectOptions & DeleteOptions): Promise<void>
  readonly status: PartClient<T>
  readonly scale: PartClient<Scale>
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string
  /** Takes over fields that other managers own. */
  readonly force?: boolean
}

export interface PartClient<T> {
  get(name: ObjectName, options?: CallOptions): Promise<T>
  update(object: T, options?: WriteOptions): Promise<T>
  patch(name: ObjectName, patch: unknown, options?: WriteOptions & { readonly type?: PatchType }): Promise<T>
  apply(object: Sent<T>, options: ApplyOptions): Promise<T>
}

export interface Scale extends ApiObject {
  spec?: { replicas?: number }
  status?: { replicas: number; selector?: string }
}
