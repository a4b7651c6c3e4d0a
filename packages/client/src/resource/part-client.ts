// The calls on a subresource: status or scale.

import type { ApplyOptions, CallOptions, ObjectName, PartClient, PatchType, Sent, WriteOptions } from '../api/client.ts'
import { getRequest } from '../request/read-requests.ts'
import { applyRequest, patchRequest, updateRequest } from '../request/write-requests.ts'
import { readJson } from '../response/read-body.ts'
import type { KindAccess } from './kind-access.ts'

export class SubresourceClient<T extends object> implements PartClient<T> {
  readonly #kind: KindAccess
  readonly #part: 'status' | 'scale'

  constructor(kind: KindAccess, part: 'status' | 'scale') {
    this.#kind = kind
    this.#part = part
  }

  get(name: ObjectName, { signal }: CallOptions = {}): Promise<T> {
    return this.#kind.call((info) => getRequest(info, name, this.#part), signal, readJson) as Promise<T>
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    const make = this.#kind.call(
      (info) => updateRequest(info, this.#whole(object), options, this.#part),
      options.signal,
      readJson,
    )
    return make as Promise<T>
  }

  patch(name: ObjectName, patch: unknown, options: WriteOptions & { readonly type?: PatchType } = {}): Promise<T> {
    return this.#kind.call(
      (info) => patchRequest(info, name, patch, options, this.#part),
      options.signal,
      readJson,
    ) as Promise<T>
  }

  apply(object: Sent<T>, options: ApplyOptions): Promise<T> {
    const sent = this.#whole(object as object)
    return this.#kind.call(
      (info) => applyRequest(info, sent, options, this.#part),
      options.signal,
      readJson,
    ) as Promise<T>
  }

  #whole(object: object): object {
    return this.#part === 'scale'
      ? { apiVersion: 'autoscaling/v1', kind: 'Scale', ...object }
      : this.#kind.named(object)
  }
}
