// A part of the API that somebody else answers: `pods/log`, the calls of executors. It passes authentication,
// authorization and discovery like any request; only its answer comes from outside the registry.

import type { User } from '../identity/user.ts'

export interface ApiExtension {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly verb: 'get' | 'create'
  /** Throws StatusErrors; the signal ends when the caller has gone or the server ends. */
  connect(request: ExtensionRequest, user: User, signal: AbortSignal): Promise<ExtensionAnswer>
}

export interface ExtensionRequest {
  readonly namespace: string | undefined
  readonly name: string
  readonly query: URLSearchParams
  /** The body as JSON; undefined when there is none. Throws 400 for anything else. */
  json(): Promise<unknown>
  /** The body as it came. */
  bytes(): Promise<Uint8Array>
}

export interface ExtensionAnswer {
  /** Default 200. */
  readonly status?: number
  /** Default: text/plain for bytes and text, application/json for an object. */
  readonly contentType?: string
  /** Pieces go out as they come, no faster than the caller reads. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | object
}
