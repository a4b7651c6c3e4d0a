// Deletes events that were not written for an hour. Revisions rise with time, so that one boundary revision separates
// old from young events; a binary search over few events finds it, without parsing all or keeping state.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import type { CachedObject } from '../cache/cached-object.ts'
import type { Api, ObjectName, ResourceName } from '../registry/api.ts'

const EVENTS: ResourceName = { group: '', resource: 'events' }
const HOUR = 3_600_000
/** Concurrent deletions in one batch; between batches other requests run. */
const BATCH = 64

export interface EventExpiryOptions {
  readonly api: Api
  readonly log: Log
  readonly clock?: Clock
  /** How long an event is kept after its last write. Default: an hour. */
  readonly ttlMs?: number | undefined
}

interface Written {
  readonly revision: number
  readonly written: number
}

export class EventExpiry {
  readonly #api: Api
  readonly #log: Log
  readonly #clock: Clock
  readonly #ttl: number

  constructor({ api, log, clock = systemClock, ttlMs = HOUR }: EventExpiryOptions) {
    this.#api = api
    this.#log = log
    this.#clock = clock
    this.#ttl = ttlMs
  }

  /** Resolves when the signal has aborted and the last work is done. */
  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await this.#sweep(signal).catch((error: unknown) => {
        // What is left belongs to the server that has the duty now.
        if (!signal.aborted)
          this.#log.error({ err: error, controller: 'event-expiry' }, 'events could not be expired; it is tried again')
        return this.#shortest
      })
      await this.#pause(wait, signal)
    }
  }

  /** Deletes expired events and returns how long to wait until the next one can expire. */
  async #sweep(signal: AbortSignal): Promise<number> {
    const events = [...this.#api.objects(EVENTS)]
    const limit = this.#clock.now() - this.#ttl
    const first = await this.#firstAfter(events, limit)
    const old = first === undefined ? events : events.filter(({ revision }) => revision < first.revision)
    for (let start = 0; start < old.length && !signal.aborted; start += BATCH) {
      await Promise.all(old.slice(start, start + BATCH).map((event) => this.#delete(event)))
    }
    if (first === undefined) return this.#ttl
    // A minimum wait: many events expire in one sweep instead of one sweep each.
    return Math.max(first.written - limit, this.#shortest)
  }

  get #shortest(): number {
    return this.#ttl / 60
  }

  /** The oldest event that was written after the time. */
  async #firstAfter(events: readonly CachedObject[], time: number): Promise<Written | undefined> {
    const revisions = Float64Array.from(events, ({ revision }) => revision).sort()
    let low = 0
    let high = revisions.length
    let found: Written | undefined
    while (low < high) {
      const middle = (low + high) >> 1
      const event = events.find(({ revision }) => revision === revisions[middle]) as CachedObject
      const written = await this.#writtenAt(event)
      if (written !== undefined && written <= time) low = middle + 1
      else {
        // An event that is deleted by now counts as young, which only makes the next sweep look again.
        found = { revision: event.revision, written: written ?? time }
        high = middle
      }
    }
    return found
  }

  #writtenAt(event: CachedObject): Promise<number | undefined> {
    return this.#api.writtenAt(EVENTS, placeOf(event))
  }

  /** Deletes the event unless it was written meanwhile. */
  async #delete(event: CachedObject): Promise<void> {
    try {
      await this.#api.delete(EVENTS, placeOf(event), { preconditions: { resourceVersion: String(event.revision) } })
    } catch (error) {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Conflict')) throw error
    }
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = this.#clock.setTimer(ms, end)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  }
}

function placeOf({ name }: CachedObject): ObjectName {
  const slash = name.indexOf('/')
  return { namespace: name.slice(0, slash), name: name.slice(slash + 1) }
}
