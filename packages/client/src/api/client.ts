// What the client can do, as its callers see it. Failures that the server answered are `StatusError`s of
// @homeostat/meta (`isStatusError(error, 'NotFound')`); failures to reach it are `ConnectionError`s with a cause.

import type { ObjectName } from '@homeostat/meta'
import type { ApiObject, KindName, ObjectList, ObjectOf } from './kinds.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface Client {
  /** Access to a kind. Where its URL is, is asked of the server with the first call and remembered. */
  resource<const A extends string, const K extends string>(
    apiVersion: A,
    kind: KindName<A, K>,
  ): ResourceClient<ObjectOf<A, K>>
  /** The same with a type of the caller's. */
  resourceOf<T extends ApiObject>(apiVersion: string, kind: string): ResourceClient<T>
  /** What discovery says of a kind; undefined when the server does not serve it (asked again each time). */
  discover(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceInfo | undefined>
  /** Any request, with the credentials and retries of the client. Answers of 400 and above throw. */
  request(request: TransportRequest, options?: RequestOptions): Promise<TransportResponse>
  /** The same, with the answer read to its end as JSON. */
  requestJson(request: TransportRequest): Promise<unknown>
  readonly transport: Transport
  close(): void
}

export interface RequestOptions {
  /** Default true. False for callers that have a backoff of their own and want to know of each failure. */
  readonly retry?: boolean
}

export interface ResourceInfo {
  readonly group: string
  readonly version: string
  /** The plural in URLs. */
  readonly resource: string
  readonly kind: string
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
  /** Default: the server's, which warns. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface SelectOptions {
  /** All namespaces when left out. */
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
  /** Starts with the objects that exist, then a bookmark that says so. */
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
  /** Only metadata, as PartialObjectMetadata. */
  readonly metadataOnly?: boolean
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
 * What may be sent: an object whose server-made parts are missing. Undefined is not sent, and what the client knows
 * itself need not be typed as narrowly as it is read.
 */
export type Sent<T> = T extends object
  ? { [K in keyof T]?: (K extends 'apiVersion' | 'kind' ? string : Sent<T[K]>) | undefined }
  : T

export interface ResourceClient<T> {
  info(signal?: AbortSignal): Promise<ResourceInfo>
  get(name: ObjectName, options?: CallOptions): Promise<T>
  /** Undefined when it is not there. */
  find(name: ObjectName, options?: CallOptions): Promise<T | undefined>
  /** All objects, page by page behind the scenes. */
  list(options?: ListOptions): Promise<ObjectList<T>>
  pages(options?: ListOptions): AsyncIterable<ObjectList<T>>
  /** One watch: ends when the server ends it, throws a StatusError for an ERROR event. An Informer goes on where it ended. */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>
  create(object: Sent<T>, options?: WriteOptions): Promise<T>
  update(object: T, options?: WriteOptions): Promise<T>
  patch(name: ObjectName, patch: unknown, options?: WriteOptions & { readonly type?: PatchType }): Promise<T>
  /** Server-side apply; `fieldManager` is required. */
  apply(object: Sent<T>, options: ApplyOptions): Promise<T>
  delete(name: ObjectName, options?: DeleteOptions): Promise<void>
  deleteAll(options: SelectOptions & DeleteOptions): Promise<void>
  /** The same calls on a part of the object. */
  readonly status: PartClient<T>
  readonly scale: PartClient<Scale>
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string
  /** Takes fields over from other managers. */
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
