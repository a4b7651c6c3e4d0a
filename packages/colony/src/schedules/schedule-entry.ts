// A committed Schedule in memory, and when it is looked at next.

import type { TickSource } from '@homeostat/base/ticks'
import type { PendingRun, Schedule } from '@homeostat/executor/schedules'
import type { Order } from '../queue/heap.ts'
import { sinceOf, ticksOf, timingOf } from '../schedule/schedule-ticks.ts'

/** A run that a request waits for. */
export interface RunRequest {
  readonly pending: PendingRun
  done(): void
  refused(error: unknown): void
}

export class ScheduleEntry {
  schedule: Schedule
  /** When it is looked at. */
  at = 0
  place = -1
  /** A look is under way; another follows if something changes meanwhile. */
  isBusy = false
  isChanged = false
  isGone = false
  readonly requests: RunRequest[] = []
  #source: { readonly key: string; readonly ticks: TickSource } | undefined

  constructor(schedule: Schedule) {
    this.schedule = schedule
  }

  get uid(): string {
    return this.schedule.metadata.uid ?? ''
  }

  /** Its ticks; made again only when they change, since a cron expression takes time to read. */
  get source(): TickSource {
    const { spec, status = {} } = this.schedule
    const since = sinceOf(status, 0)
    const key = spec.intervalSeconds === undefined ? timingOf(spec) : `${timingOf(spec)} ${since}`
    if (this.#source?.key !== key) this.#source = { key, ticks: ticksOf(spec, since) }
    return this.#source.ticks
  }
}

export const BY_TIME: Order<ScheduleEntry> = {
  before: (a, b) => a.at < b.at,
  place: ({ place }) => place,
  setPlace(entry, place) {
    entry.place = place
  },
}
