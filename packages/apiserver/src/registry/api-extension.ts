// A part of the API that an extension serves, such as `pods/log` or the calls of executors. Its requests pass
// authentication and authorization like any other, and discovery lists it; only the response comes from the extension.

import type { ResourceAttributes } from '../identity/resource-attributes.ts'
import type { User } from '../identity/user.ts'

export interface ApiExtension {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly verb: 'get' | 'create'
  /**
   * The duty whose leader answers, by the namespace in the path: of several servers on a store, the others pass their calls on to it.
   * Default: every server answers.
   */
  ledBy?(namespace: string | undefined): string
  /** Throws StatusErrors. The signal aborts when the client disconnects or the server closes. */
  connect(request: ExtensionRequest, user: User, signal: AbortSignal): Promise<ExtensionAnswer>
}

export interface ExtensionRequest {
  readonly namespace: string | undefined
  readonly name: string
  readonly query: URLSearchParams
  /** Another server has passed it on. */
  readonly isPassedOn?: boolean
  /** The body as JSON; undefined when there is none. Throws 400 for anything else. */
  json(): Promise<unknown>
  /** The raw body. */
  bytes(): Promise<Uint8Array>
  /**
   * Throws or rejects with 403 when the user lacks a permission beyond that of the path, e.g. for an object that the body
   * names.
   */
  requirePermission(attributes: ResourceAttributes): Promise<void> | undefined
}

export interface ExtensionAnswer {
  /** Default 200. */
  readonly status?: number
  /** Default: text/plain for bytes and text, application/json for an object. */
  readonly contentType?: string
  /** For the header Warning, which clients show to people. */
  readonly warning?: string
  /** A stream is sent piece by piece, no faster than the client reads. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | object
}
