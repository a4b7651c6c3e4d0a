// The calls on a kind: each builds a request, sends it, and parses the response.

import { isStatusError } from '@homeostat/meta'
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  ListOptions,
  ObjectName,
  PartClient,
  PatchType,
  ResourceClient,
  ResourceInfo,
  Scale,
  SelectOptions,
  Sent,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../api/client.ts'
import type { ObjectList } from '../api/kinds.ts'
import type { TransportRequest } from '../api/transport.ts'
import { getRequest, watchRequest } from '../request/read-requests.ts'
import {
  applyRequest,
  createRequest,
  deleteAllRequest,
  deleteRequest,
  patchRequest,
  updateRequest,
} from '../request/write-requests.ts'
import { readJson, readText } from '../response/read-body.ts'
import { watchEvents } from '../response/watch-events.ts'
import type { KindAccess } from './kind-access.ts'
import { listAll, listPages } from './list.ts'
import { SubresourceClient } from './part-client.ts'

export class KindClient<T extends object> implements ResourceClient<T> {
  readonly #kind: KindAccess
  readonly #maxEventBytes: number
  readonly status: PartClient<T>
  readonly scale: PartClient<Scale>

  constructor(kind: KindAccess, maxEventBytes: number) {
    this.#kind = kind
    this.#maxEventBytes = maxEventBytes
    this.status = new SubresourceClient<T>(kind, 'status')
    this.scale = new SubresourceClient<Scale>(kind, 'scale')
  }

  info(signal?: AbortSignal): Promise<ResourceInfo> {
    return this.#kind.info(signal)
  }

  get(name: ObjectName, { signal }: CallOptions = {}): Promise<T> {
    return this.#object((info) => getRequest(info, name), signal)
  }

  async find(name: ObjectName, options: CallOptions = {}): Promise<T | undefined> {
    try {
      return await this.get(name, options)
    } catch (error) {
      // A 404 for a kind that is not served or for a wrong path is an error, not a missing object.
      if (isStatusError(error, 'NotFound') && error.status.details?.name === name.name) return undefined
      throw error
    }
  }

  list(options: ListOptions = {}): Promise<ObjectList<T>> {
    return listAll<T>(this.#kind, options)
  }

  pages(options: ListOptions = {}): AsyncIterable<ObjectList<T>> {
    return listPages<T>(this.#kind, options)
  }

  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>, void> {
    const response = await this.#kind.call(
      (info) => watchRequest(info, options),
      options.signal,
      (response) => response,
    )
    yield* watchEvents<T>(response, this.#maxEventBytes)
  }

  create(object: Sent<T>, options: WriteOptions = {}): Promise<T> {
    return this.#object((info) => createRequest(info, this.#kind.named(object as object), options), options.signal)
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#object((info) => updateRequest(info, this.#kind.named(object), options), options.signal)
  }

  patch(name: ObjectName, patch: unknown, options: WriteOptions & { readonly type?: PatchType } = {}): Promise<T> {
    return this.#object((info) => patchRequest(info, name, patch, options), options.signal)
  }

  apply(object: Sent<T>, options: ApplyOptions): Promise<T> {
    return this.#object((info) => applyRequest(info, this.#kind.named(object as object), options), options.signal)
  }

  async delete(name: ObjectName, options: DeleteOptions = {}): Promise<void> {
    await this.#kind.call((info) => deleteRequest(info, name, options), options.signal, readText)
  }

  async deleteAll(options: SelectOptions & DeleteOptions): Promise<void> {
    await this.#kind.call((info) => deleteAllRequest(info, options), options.signal, readText)
  }

  #object(make: (info: ResourceInfo) => TransportRequest, signal: AbortSignal | undefined): Promise<T> {
    return this.#kind.call(make, signal, readJson) as Promise<T>
  }
}
