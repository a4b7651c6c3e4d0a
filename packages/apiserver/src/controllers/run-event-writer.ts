// Writes the Events of runs through the Api, aggregated and within limits. An Event that cannot be written is dropped: its
// namespace may be going.

import type { Clock, Log } from '@homeostat/base'
import { EventBook, type Series } from '@homeostat/base/event-book'
import {
  type EventFacts,
  type EventSubject,
  eventKey,
  eventManifest,
  namesOf,
  type RunRecord,
  runMetadata,
  runNote,
  seriesOf,
} from '@homeostat/meta/events'
import type { Api, ResourceName } from '../registry/api.ts'

const EVENTS: ResourceName = { group: '', resource: 'events' }
const LIMITS = { perObject: { burst: 5, perSecond: 1 / 60 }, total: { burst: 50, perSecond: 0.5 } }

export interface RunEventsOptions {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  /** Who reports: a qualified name. */
  readonly controller: string
  readonly reason: string
}

export class RunEventWriter {
  readonly #options: RunEventsOptions
  readonly #book: EventBook<EventFacts>
  #cancelTimer: (() => void) | undefined
  #sending: Promise<void> = Promise.resolve()
  #names = 0
  #isClosed = false

  constructor(options: RunEventsOptions) {
    this.#options = options
    this.#book = new EventBook(options.clock.now(), LIMITS)
  }

  record(regarding: EventSubject, run: RunRecord): void {
    if (this.#isClosed) return
    const { reason, clock } = this.#options
    const [first] = run.triggers
    const related = first?.object && { related: subjectOf(first.object) }
    const facts = { regarding: namesOf(regarding), input: { reason, message: runNote(run), ...related, run } }
    const { about, key } = eventKey(facts)
    this.#book.record(about, key, facts, clock.now())
    this.#arm()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer?.()
    await this.#sending
  }

  #arm(): void {
    const next = this.#book.next()
    if (next === undefined || this.#isClosed) return
    this.#cancelTimer?.()
    const { clock } = this.#options
    this.#cancelTimer = clock.setTimer(Math.max(0, next - clock.now()), () => {
      const due = this.#book.take(clock.now())
      this.#sending = this.#sending.then(async () => {
        for (const series of due) await this.#send(series)
        this.#arm()
      })
    })
  }

  async #send(series: Series<EventFacts>): Promise<void> {
    const { clock, log } = this.#options
    const { count } = series
    try {
      if (series.name === undefined) await this.#create(series)
      else await this.#count(series, series.name)
      this.#book.written(series, count, clock.now())
    } catch (error) {
      this.#book.failed(series, false, clock.now())
      log.debug({ err: error, note: series.event.input.message }, 'the event of a run was not written')
    }
  }

  async #create(series: Series<EventFacts>): Promise<void> {
    const { api, clock, controller } = this.#options
    const suffix = `${Math.floor(clock.now()).toString(16)}${(this.#names++ % 0xffff).toString(16).padStart(4, '0')}`
    const event = eventManifest(series.event, series, { controller, instance: 'homeostat' }, suffix)
    const { note, regarding, reportingController, apiVersion: _, series: seen, ...rest } = event
    await api.create(EVENTS, {
      ...rest,
      apiVersion: 'v1',
      message: note,
      involvedObject: regarding,
      reportingComponent: reportingController,
      source: { component: controller },
      ...(seen && { series: seen }),
    })
    series.name = event.metadata.name
  }

  async #count(series: Series<EventFacts>, name: string): Promise<void> {
    const { regarding, input } = series.event
    const { namespace = 'default' } = regarding.metadata
    const changed = await this.#options.api.change(EVENTS, { namespace, name }, (event) => {
      event.series = seriesOf(series)
      event.metadata.annotations = { ...event.metadata.annotations, ...runMetadata(input).annotations }
    })
    // Events end after an hour; a series that still goes on is created again.
    if (changed === undefined) await this.#create(series)
  }
}

function subjectOf({
  apiVersion,
  kind,
  name,
  namespace,
}: NonNullable<RunRecord['triggers'][number]['object']>): EventSubject {
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }
}
