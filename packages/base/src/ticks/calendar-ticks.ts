// The ticks that a calendar knows: a cron expression in a time zone, read by whoever brings the library. Pure.

import type { TickSource } from './tick-source.ts'

/** As croner has it: whole seconds. */
export interface Calendar {
  /** The first tick after the time. */
  nextRun(after: Date): Date | null
  /** Up to `count` ticks before the time, the newest first. */
  previousRuns(count: number, before: Date): Date[]
}

export function calendarTicks(calendar: Calendar): TickSource {
  return {
    after: (time) => calendar.nextRun(new Date(time))?.getTime(),
    last(count, since, until) {
      if (count <= 0) return []
      // Those of the second that has begun are before the next one.
      const end = (Math.floor(until / 1000) + 1) * 1000
      const ticks = calendar.previousRuns(count, new Date(end)).map((tick) => tick.getTime())
      return ticks.filter((tick) => tick > since && tick <= until).reverse()
    },
  }
}
