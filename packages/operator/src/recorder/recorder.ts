// Writes the events of reconciles to the API, aggregated by base's event book. A reconcile only hands over the event: this
// file never throws to it and never makes it wait. An event that cannot be written is dropped.

import { type Clock, type Log, systemClock } from '@homeostat/base'
import { EventBook, type EventBookOptions, type Series } from '@homeostat/base/event-book'
import type { ApiObject, Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import {
  type EventFacts,
  type EventSubject,
  eventKey,
  eventManifest,
  eventNamespace,
  namesOf,
  type Reporter,
  runMetadata,
  seriesOf,
} from '@homeostat/meta/events'
import type { EventSink } from '../runtime/companions.ts'
import type { EventInput } from '../runtime/reconcile-context.ts'

export interface RecorderOptions extends EventBookOptions, Reporter {
  readonly client: Client
  readonly log: Pick<Log, 'debug'>
  readonly clock?: Clock
  readonly random?: () => number
  /** How long `close` keeps writing the rest. Default 2 s. */
  readonly drainMs?: number
}

export class EventRecorder implements EventSink {
  readonly #options: RecorderOptions
  readonly #clock: Clock
  readonly #book: EventBook<EventFacts>
  readonly #ended = new AbortController()
  #cancelTimer: (() => void) | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #sending: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#book = new EventBook(this.#clock.now(), options)
  }

  /** Number of events not written: too many, or refused by the server. */
  get dropped(): number {
    return this.#book.dropped
  }

  record(regarding: ApiObject, input: EventInput): void {
    if (this.#closing !== undefined) return
    const facts = { regarding: namesOf(regarding), input: { ...input, ...relatedNames(input) } }
    const { about, key } = eventKey(facts)
    this.#book.record(about, key, facts, this.#clock.now())
    this.#arm()
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain()
    return this.#closing
  }

  /** Resolves when everything due is written: for tests and shutdown. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.#sending; ) {
      seen = this.#sending
      await seen
    }
  }

  async #drain(): Promise<void> {
    this.#cancelTimer?.()
    const cancel = this.#clock.setTimer(this.#options.drainMs ?? 2000, () => this.#ended.abort())
    await this.#sending
    for (const series of this.#book.takeAll()) await this.#send(series)
    cancel()
    this.#ended.abort()
  }

  #arm(): void {
    const next = this.#book.next()
    if (next === undefined || next >= this.#timerAt || this.#closing !== undefined) return
    this.#cancelTimer?.()
    this.#timerAt = next
    this.#cancelTimer = this.#clock.setTimer(next - this.#clock.now(), () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.#sendDue()
    })
  }

  /** Writes one at a time: the count of a series must not overtake its event, and events are never urgent. */
  #sendDue(): void {
    const due = this.#book.take(this.#clock.now())
    this.#sending = this.#sending.then(async () => {
      for (const series of due) await this.#send(series)
      this.#arm()
    })
  }

  async #send(series: Series<EventFacts>): Promise<void> {
    const { count } = series
    try {
      if (this.#ended.signal.aborted) throw new Error('the operator ended before the event was sent')
      if (series.name === undefined) await this.#create(series)
      else await this.#count(series, series.name)
      this.#book.written(series, count, this.#clock.now())
    } catch (error) {
      const again = isWorthAnotherTry(error)
      this.#book.failed(series, again, this.#clock.now())
      const { regarding, input } = series.event
      const about = `${regarding.kind} ${regarding.metadata.name}`
      this.#options.log.debug({ err: error, about, reason: input.reason, again }, 'an event was not written')
    }
  }

  async #create(series: Series<EventFacts>): Promise<void> {
    const suffix = nameSuffix(this.#clock.now(), this.#options.random ?? Math.random)
    const manifest = eventManifest(series.event, series, this.#options, suffix)
    await this.#events.create(manifest, { signal: this.#ended.signal })
    series.name = manifest.metadata.name
  }

  async #count(series: Series<EventFacts>, name: string): Promise<void> {
    const namespace = eventNamespace(series.event.regarding)
    try {
      const patch = { series: seriesOf(series), metadata: runMetadata(series.event.input) }
      await this.#events.patch({ name, namespace }, patch, { signal: this.#ended.signal })
    } catch (error) {
      // The server deletes Events after an hour; a series that still goes on is created again.
      if (!isStatusError(error, 'NotFound')) throw error
      await this.#create(series)
    }
  }

  get #events() {
    return this.#options.client.resourceOf<ApiObject>('events.k8s.io/v1', 'Event')
  }
}

function relatedNames(input: EventInput): { related?: EventSubject } {
  return input.related ? { related: namesOf(input.related) } : {}
}

/** A refusal is final; an unreachable or overloaded server is worth a retry. */
function isWorthAnotherTry(error: unknown): boolean {
  return !isStatusError(error) || error.code === 429 || error.code >= 500
}

function nameSuffix(now: number, random: () => number): string {
  return `${Math.floor(now).toString(16)}${Math.floor(random() * 0xfffff)
    .toString(16)
    .padStart(5, '0')}`
}
