// GET /watch: changes of all custom resources that the user may watch, as server-sent events. Each event's id is its revision, so that a
// browser or curl that reconnects with Last-Event-ID goes on where it stopped.

import type { Authorizer } from '../authz/authorize.ts'
import { historicChange } from '../cache/watch-cache.ts'
import { drained } from '../exchange/drained.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Registry } from '../registry/registry.ts'
import { type EventFilter, eventFilter, type StreamEvent } from './event-filter.ts'
import { EventRights } from './event-rights.ts'
import { lastEventId, requireKept } from './last-event-id.ts'

export const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const PING_MS = 15_000
/** A reader with more unread bytes than this is disconnected and resumes by Last-Event-ID. */
const MAX_BUFFERED = 4 << 20

export async function streamEvents(
  exchange: Exchange,
  registry: Registry,
  authorizer: Authorizer,
  signal: AbortSignal,
): Promise<void> {
  const { out } = exchange.transport
  const filter = eventFilter(registry.types, exchange.request.query)
  const rights = new EventRights(exchange, authorizer, 'watch')
  exchange.rightsHold = () => rights.hold()
  let revision = lastEventId(exchange, registry) ?? registry.cache.revision
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    out.end()
  }
  const send = (text: string) => {
    out.write(text)
    if (out.writableLength > MAX_BUFFERED) end()
  }
  await requireKept(registry, revision)
  if (out.destroyed) return exchange.answered()
  exchange.response.head(200, EVENT_STREAM, undefined, ['X-Accel-Buffering', 'no'])
  send(`: changes of custom resources after revision ${revision}\n\n`)
  out.once('close', () => {
    ended.abort()
    exchange.answered()
  })
  signal.addEventListener('abort', end, { once: true })
  const ping = setInterval(() => send(': still here\n\n'), PING_MS)
  try {
    while (revision < registry.cache.revision && !ended.signal.aborted)
      revision = await replay(registry, filter, revision, ended.signal, async (events) => {
        const text = (await rights.permitted(events)).map(serverSent).join('')
        if (text !== '' && !out.write(text)) await drained(out)
      })
    if (ended.signal.aborted) return
    const show = (events: readonly StreamEvent[]) => {
      if (events.length > 0 && !ended.signal.aborted) send(events.map(serverSent).join(''))
    }
    /** The events whose rights are still asked for; later ones wait for them. */
    let asked: Promise<void> | undefined
    const stop = registry.cache.subscribe((changes) => {
      const events: StreamEvent[] = []
      for (const [resource, list] of changes)
        for (const change of list) push(events, filter.event(resource.storage, change))
      events.sort((a, b) => a.change.revision - b.change.revision)
      const permitted = rights.permitted(events)
      if (asked === undefined && !(permitted instanceof Promise)) show(permitted)
      else asked = Promise.all([permitted, asked]).then(([some]) => show(some), end)
    })
    await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve(), { once: true }))
    stop()
  } finally {
    clearInterval(ping)
    signal.removeEventListener('abort', end)
  }
}

/** Sends the kept changes after the revision, up to the cache's revision, no faster than the client reads. */
async function replay(
  registry: Registry,
  filter: EventFilter,
  after: number,
  signal: AbortSignal,
  send: (events: readonly StreamEvent[]) => Promise<void>,
): Promise<number> {
  const upTo = registry.cache.revision
  for await (const batch of registry.store.changes(after, signal)) {
    const events: StreamEvent[] = []
    for (const change of batch) {
      // The store may be ahead of the cache; the cache notifies of the rest.
      if (change.revision > upTo) break
      const historic = historicChange(change)
      push(events, filter.event(historic.storage, historic))
    }
    if (events.length > 0) await send(events)
    if ((batch.at(-1)?.revision ?? 0) >= upTo) return upTo
  }
  return upTo
}

function serverSent({ type, change, object }: StreamEvent): string {
  return `id: ${change.revision}\nevent: ${type}\ndata: {"type":"${type}","object":${object.toString()}}\n\n`
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item)
}
