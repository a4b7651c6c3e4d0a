// Where a client of /watch or /events goes on: after the last event that it has, whichever server that was from.

import { badRequest } from '@homeostat/meta'
import { expired } from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import type { Registry } from '../registry/registry.ts'

/** The revision of that event; undefined when the client names none. Throws 400 for what is no event's. */
export function lastEventId({ request }: Exchange, { cache }: Registry): number | undefined {
  const given = request.headers['last-event-id'] ?? request.param('lastEventId')
  if (given === '') return undefined
  if (typeof given !== 'string' || !/^\d{1,16}$/.test(given) || Number(given) > cache.revision)
    throw badRequest(`Last-Event-ID must be the id of an event of this server, at most ${cache.revision}`)
  return Number(given)
}

/** Throws 410 when changes after the revision are no longer kept. */
export async function requireKept({ store }: Registry, revision: number): Promise<void> {
  if (revision < (await store.keptFrom(revision))) throw forgotten(revision)
}

export function forgotten(revision: number): Error {
  return expired(
    `the changes after ${revision} are no longer kept; reconnect without Last-Event-ID and list what exists`,
  )
}
