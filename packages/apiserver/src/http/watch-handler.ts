// GET with watch=true: validates the request, then passes the connection to a Watch.

import { badRequest } from '@homeostat/meta'
import { type Cause, failure, forbiddenField, invalidOptions, tooLargeResourceVersion } from '@homeostat/meta/server'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { type ObjectFilter, objectFilter } from '../registry/object-filter.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { eventEncoder, protobufEvents } from '../represent/event-encoders.ts'
import type { FormOptions } from '../represent/object-response.ts'
import { loadProtobuf, PROTOBUF_STREAM } from '../represent/protobuf.ts'
import { Watch } from '../watch/watch.ts'
import type { WatchHub } from '../watch/watch-hub.ts'
import type { WatchSink } from '../watch/watch-sink.ts'
import { formOptions } from './form-options.ts'
import type { ResourcePath } from './request-path.ts'

const MIN_TIMEOUT_S = 1800

export async function handleWatch(
  exchange: Exchange,
  registry: Registry,
  hub: WatchHub,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const { request, transport } = exchange
  if (request.message.httpVersion === '1.0') throw badRequest('a watch needs HTTP/1.1')
  const options = formOptions(exchange, registry, 'watch')
  checkInitialEvents(exchange, true)
  const initial = exchange.request.param('sendInitialEvents')
  const version = exchange.request.param('resourceVersion')
  if (!/^\d{0,16}$/.test(version))
    throw failure(500, `invalid resource version "${version}": it must be a whole number`)
  const revision = Number(version || '0')
  if (revision > registry.cache.revision) throw tooLargeResourceVersion(revision, registry.cache.revision)
  const filter = objectFilter(
    type,
    path.namespace,
    exchange.request.param('labelSelector'),
    exchange.request.param('fieldSelector'),
    path.name,
  )
  const initialEvents = initial === '' ? revision === 0 : initial === 'true'
  const bookmarks = exchange.request.flag('allowWatchBookmarks')
  const lasting = timeoutMs(exchange)
  const resource = registry.resource(type)
  // Over a WebSocket events are text messages in JSON.
  const protobuf = exchange.response.form === 'protobuf' && !transport.upgrade
  const now = () => registry.now()
  const encoder = protobuf ? protobufEvents(type, options, now, await loadProtobuf()) : eventEncoder(type, options, now)
  const media = protobuf ? PROTOBUF_STREAM : 'application/json'
  const sink = await openSink(exchange, media)
  const framed = {
    ...encoder,
    ...(sink.framing !== 'chunked' && { key: `${sink.framing} ${encoder.key}` }),
    ...copiesFor(type, options, filter),
  }
  const watch = new Watch(hub, type, resource, filter, framed, sink, {
    initialEvents,
    revision: initialEvents ? 0 : revision || registry.cache.revision,
    bookmarks,
    markInitialEnd: initialEvents && bookmarks,
    deadline: performance.now() + lasting,
  })
  hub.add(watch)
  sink.onClose(() => {
    watch.end('closed')
    exchange.answered()
  })
  await watch.run(registry.cache, registry.store)
}

/** What events in a version that only a webhook makes need. Metadata alone is that of the stored form. */
function copiesFor(type: ResourceType, { representation }: FormOptions, filter: ObjectFilter) {
  const { converter } = type
  if (converter === undefined || (representation.form === 'partial' && !filter.byFields)) return {}
  return { hold: (objects: readonly CachedObject[]) => converter.hold(objects) }
}

async function openSink({ transport, response }: Exchange, contentType: string): Promise<WatchSink> {
  if (transport.upgrade) return transport.upgrade()
  if (transport.isBehind) await transport.turn()
  response.head(200, contentType, undefined)
  return transport.events()
}

/** The default timeout is random, so that clients do not all reconnect at once. */
function timeoutMs(exchange: Exchange): number {
  const asked = exchange.request.number('timeoutSeconds')
  return 1000 * (asked > 0 ? asked : MIN_TIMEOUT_S * (1 + Math.random()))
}

export function checkInitialEvents(exchange: Exchange, watch: boolean): void {
  if (!exchange.request.hasQuery) return
  const initial = exchange.request.query.get('sendInitialEvents')
  const match = exchange.request.param('resourceVersionMatch')
  const causes: Cause[] = []
  if (initial !== null && !watch)
    causes.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  if (watch && initial !== null && match !== 'NotOlderThan') {
    causes.push(
      forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  }
  if (watch && initial === null && match !== '')
    causes.push(
      forbiddenField(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    )
  if (causes.length > 0) throw invalidOptions('ListOptions', causes)
}
