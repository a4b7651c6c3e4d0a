// Sends requests about one kind: discovers its path first, and forgets the path when the server no longer serves it.
// The clients of a kind and of its subresources share one.

import { isStatusError, StatusError } from '@homeostat/meta'
import type { ResourceInfo } from '../api/client.ts'
import type { TransportRequest, TransportResponse } from '../api/transport.ts'
import type { Discovery } from '../discovery/discovery.ts'
import type { Sender } from '../send/sender.ts'

export class KindAccess {
  readonly apiVersion: string
  readonly kind: string
  readonly #sender: Sender
  readonly #discovery: Discovery

  constructor(apiVersion: string, kind: string, sender: Sender, discovery: Discovery) {
    this.apiVersion = apiVersion
    this.kind = kind
    this.#sender = sender
    this.#discovery = discovery
  }

  async info(signal?: AbortSignal): Promise<ResourceInfo> {
    const info = await this.#discovery.find(this.apiVersion, this.kind, signal)
    if (info === undefined) throw notServed(this.apiVersion, this.kind)
    return info
  }

  async call<T>(
    make: (info: ResourceInfo) => TransportRequest,
    signal: AbortSignal | undefined,
    read: (response: TransportResponse) => T | Promise<T>,
  ): Promise<T> {
    const request = make(await this.info(signal))
    try {
      return await this.#sender.send(signal === undefined ? request : { ...request, signal }, read)
    } catch (error) {
      if (isStatusError(error, 'NotFound') && !namesAnObject(error)) this.#discovery.forget(this.apiVersion)
      throw error
    }
  }

  /** Adds apiVersion and kind, which callers may leave out. */
  named(object: object): object {
    const { apiVersion = this.apiVersion, kind = this.kind } = object as { apiVersion?: string; kind?: string }
    if (apiVersion !== this.apiVersion || kind !== this.kind) {
      throw new Error(`an object of ${apiVersion} ${kind} was given to the client of ${this.apiVersion} ${this.kind}`)
    }
    return { apiVersion, kind, ...object }
  }
}

/** A 404 for a missing object names it in the details; a 404 for a missing path does not. */
function namesAnObject({ status }: StatusError): boolean {
  return (status.details?.name ?? '') !== ''
}

function notServed(apiVersion: string, kind: string): StatusError {
  const message =
    `the server does not serve ${kind} in ${apiVersion}; look at its spelling and version, ` +
    'or install the CustomResourceDefinition'
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NotFound',
    details: {},
    code: 404,
  })
}
