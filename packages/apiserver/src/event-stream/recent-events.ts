// GET /events: the last changes of custom resources that the user may list, newest last, read from the store's history. With
// Last-Event-ID the first ones after that event, so that a client that asks again and again misses none and gets none twice.

import { type Change, isCompactedError } from '@homeostat/store'
import type { Authorizer } from '../authz/authorize.ts'
import { historicChange } from '../cache/watch-cache.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Registry } from '../registry/registry.ts'
import { type EventFilter, eventFilter, type StreamEvent } from './event-filter.ts'
import { EventRights } from './event-rights.ts'
import { forgotten, lastEventId, requireKept } from './last-event-id.ts'

const DEFAULT_LIMIT = 100
/** How many revisions are looked back for each event that the answer may have. */
const LOOK_BACK = 5
/** The same on a store of several servers, where each renews its Lease every second, and which counts what others write to it. */
const LOOK_BACK_SHARED = 50
/** Each is lost to a compaction meanwhile. */
const MAX_TRIES = 5

/** Answers at most `most` events, and 100 unless the query sets another limit. */
export async function recentEvents(
  exchange: Exchange,
  registry: Registry,
  authorizer: Authorizer,
  most: number,
  signal: AbortSignal,
): Promise<void> {
  const asked = Number.parseInt(exchange.request.param('limit'), 10)
  const limit = Math.min(asked > 0 ? asked : DEFAULT_LIMIT, most)
  const filter = eventFilter(registry.types, exchange.request.query)
  const rights = new EventRights(exchange, authorizer, 'list')
  const after = lastEventId(exchange, registry)
  const upTo = registry.cache.revision
  if (after !== undefined) {
    await requireKept(registry, after)
    const isGone = () => exchange.transport.isGone
    const events = await eventsAfter(registry, { filter, rights, limit, isGone }, after, upTo, signal)
    return exchange.response.sendJson(200, { events: events.map(summary) })
  }
  const lookBack = registry.store.shared ? LOOK_BACK_SHARED : LOOK_BACK
  const events = await eventsUpTo(registry, filter, Math.max(upTo - lookBack * most, 0), upTo, signal)
  const permitted = await rights.permitted(events)
  exchange.response.sendJson(200, { events: permitted.slice(-limit).map(summary) })
}

interface Reader {
  readonly filter: EventFilter
  readonly rights: EventRights
  readonly limit: number
  isGone(): boolean
}

/** Holds no more than a batch beyond the limit, however long ago the client was here. */
async function eventsAfter(
  { store }: Registry,
  { filter, rights, limit, isGone }: Reader,
  after: number,
  upTo: number,
  signal: AbortSignal,
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = []
  if (after >= upTo) return events
  try {
    for await (const batch of store.changes(after, signal)) {
      events.push(...(await rights.permitted(eventsOf(batch, filter, upTo))))
      if (events.length >= limit || (batch.at(-1)?.revision ?? 0) >= upTo || isGone()) break
    }
  } catch (error) {
    if (isCompactedError(error)) throw forgotten(after)
    throw error
  }
  return events.slice(0, limit)
}

async function eventsUpTo(
  registry: Registry,
  filter: EventFilter,
  from: number,
  upTo: number,
  signal: AbortSignal,
): Promise<StreamEvent[]> {
  const { store } = registry
  let after = await store.keptFrom(from)
  for (let tries = 1; ; tries++) {
    const events: StreamEvent[] = []
    try {
      if (after >= upTo) return events
      for await (const batch of store.changes(after, signal)) {
        events.push(...eventsOf(batch, filter, upTo))
        if ((batch.at(-1)?.revision ?? 0) >= upTo) break
      }
      return events
    } catch (error) {
      // The past was compacted while it was read: what is left of it is the answer.
      if (!isCompactedError(error) || tries === MAX_TRIES) throw error
      after = error.horizon
    }
  }
}

function eventsOf(batch: readonly Change[], filter: EventFilter, upTo: number): StreamEvent[] {
  return batch.flatMap((change) => {
    const historic = historicChange(change)
    return (change.revision <= upTo && filter.event(historic.storage, historic)) || []
  })
}

function summary({ type, change, resource, object }: StreamEvent): object {
  const { metadata, kind, apiVersion } = JSON.parse(object.toString()) as {
    metadata: { name: string; namespace?: string; uid: string; generation?: number }
    kind: string
    apiVersion: string
  }
  return {
    type,
    revision: change.revision,
    time: new Date(change.note.time).toISOString(),
    apiVersion,
    kind,
    resource: resource.resource,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    uid: metadata.uid,
    generation: metadata.generation,
    user: change.note.user,
    manager: change.note.manager,
  }
}
