// A part of the API that somebody else answers: `pods/log`, the calls of executors. It passes authentication,
// authorization and discovery like any request; only its answer comes from outside the registry.

import type { User } from '../identity/user.ts'
import type { ResourceType } from './resource-type.ts'
import { typeWith } from './type-with.ts'

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

/** The type with what the extensions add to it. */
export function extendType(type: ResourceType, extensions: readonly ApiExtension[]): ResourceType {
  const own = extensions.filter(
    ({ group, version, resource }) => group === type.group && version === type.version && resource === type.resource,
  )
  if (own.length === 0) return type
  const others = { ...type.subresources.others }
  for (const [subresource, parts] of Map.groupBy(own, (extension) => extension.subresource)) {
    const connect = Object.fromEntries(parts.map((part) => [part.verb, part.connect.bind(part)]))
    others[subresource] = { ...others[subresource], verbs: Object.keys(connect), connect }
  }
  return typeWith(type, { subresources: { ...type.subresources, others } })
}
