// Requests that read, as values: get, list, watch. Nothing is sent here.

import type { ListOptions, ObjectName, ResourceInfo, SelectOptions, WatchOptions } from '../api/client.ts'
import type { TransportRequest } from '../api/transport.ts'
import { query, selecting } from './query.ts'
import { collectionPath, objectPath } from './resource-path.ts'

const JSON_ANSWER = { accept: 'application/json' }
/** A server that knows no partial metadata answers with whole objects. */
const METADATA_ANSWER = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json' }

export function getRequest(info: ResourceInfo, name: ObjectName, part?: 'status' | 'scale'): TransportRequest {
  return { method: 'GET', path: objectPath(info, name, part), headers: JSON_ANSWER }
}

/** A page goes on where the one before ended: its token stands for the revision, which must not be said again. */
export interface PageQuery {
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: string | undefined
}

/** What the first request of a list asks for. */
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
    })
  return { method: 'GET', path, headers: options.metadataOnly ? METADATA_ANSWER : JSON_ANSWER }
}
