// Builds the requests that read, as values: get, list, watch. Sends nothing.

import type { ListOptions, ObjectName, ResourceInfo, SelectOptions, WatchOptions } from '../api/client.ts'
import type { TransportRequest } from '../api/transport.ts'
import { query, selecting } from './query.ts'
import { collectionPath, objectPath } from './resource-path.ts'

const JSON_ANSWER = { accept: 'application/json' }
/** A server without partial metadata responds with whole objects. */
const METADATA_ANSWER = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json' }

export function getRequest(info: ResourceInfo, name: ObjectName, part?: 'status' | 'scale'): TransportRequest {
  return { method: 'GET', path: objectPath(info, name, part), headers: JSON_ANSWER }
}

/** The query of one page. A continue token implies the revision, so servers refuse both in one request. */
export interface PageQuery {
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: string | undefined
}

/** The query of a list's first page. */
export function firstPage({ limit = 500, resourceVersion, resourceVersionMatch }: ListOptions): PageQuery {
  return { limit, resourceVersion, resourceVersionMatch }
}

export function listRequest(info: ResourceInfo, select: SelectOptions, page: PageQuery): TransportRequest {
  const path = collectionPath(info, select.namespace) + query({ ...selecting(select), ...page })
  return { method: 'GET', path, headers: JSON_ANSWER }
}

export function watchRequest(info: ResourceInfo, options: WatchOptions): TransportRequest {
  const path =
    collectionPath(info, options.namespace) +
    query({
      watch: true,
      ...selecting(options),
      resourceVersion: options.resourceVersion,
      // Servers refuse initial events without this match.
      resourceVersionMatch: options.sendInitialEvents === undefined ? undefined : 'NotOlderThan',
      allowWatchBookmarks: options.allowBookmarks,
      sendInitialEvents: options.sendInitialEvents,
      timeoutSeconds: options.timeoutSeconds,
      includeObject: options.includeObject,
    })
  if (options.accept !== undefined) return { method: 'GET', path, headers: { accept: options.accept } }
  return { method: 'GET', path, headers: options.metadataOnly ? METADATA_ANSWER : JSON_ANSWER }
}
