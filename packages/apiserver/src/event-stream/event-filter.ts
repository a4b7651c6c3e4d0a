// Selects the changes that a client of /watch or /events sees: those of all custom resources, narrowed by the query.

import { parseLabelSelector } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { CachedChange } from '../cache/change-ring.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { standIn } from '../represent/stand-in.ts'
import { type EventType, eventFor } from '../watch/watch-event.ts'

/** A change as a client of the stream sees it. */
export interface StreamEvent {
  readonly type: EventType
  readonly change: CachedChange
  readonly resource: ResourceType
  readonly object: Buffer
}

export interface EventFilter {
  /** The event that this client gets for the change, if any. `storage` is `group/resource`. */
  event(storage: string, change: CachedChange): StreamEvent | undefined
}

export function eventFilter(types: ResourceTypes, query: URLSearchParams): EventFilter {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  const namespace = query.get('namespace')
  const name = query.get('name')
  const prefix = namespace === null ? '' : `${namespace}/`
  const objects = {
    prefix,
    all: false,
    byFields: false,
    byKey: labels.empty,
    text: '',
    matches: (object: CachedObject) =>
      object.name.startsWith(prefix) &&
      (name === null || object.name === name || object.name.endsWith(`/${name}`)) &&
      (labels.empty || object.damage !== undefined || labels.matches(object.labels)),
  }
  return {
    event(storage, change) {
      const slash = storage.lastIndexOf('/')
      const resource = types.stored(storage.slice(0, slash), storage.slice(slash + 1))
      if (!resource?.custom || !selected(resource, query)) return undefined
      const found = eventFor(change, objects)
      if (!found) return undefined
      const { type } = found
      const object = found.object.damage === undefined ? found.object : standIn(found.object, resource)
      return {
        type,
        change,
        resource,
        object: object.revision === change.revision ? object.bytes : object.withRevision(change.revision),
      }
    },
  }
}

/** The query selects by `kind`, `group` and `resource` (a plural, singular or short name). */
function selected(type: ResourceType, query: URLSearchParams): boolean {
  const kind = query.get('kind')
  const group = query.get('group')
  const resource = query.get('resource')
  if (kind !== null && kind.toLowerCase() !== type.kind.toLowerCase()) return false
  if (group !== null && group !== type.group) return false
  return (
    resource === null || resource === type.resource || resource === type.singular || type.shortNames.includes(resource)
  )
}
