// The ticks of a cron expression with five fields, or six with seconds, in a time zone. croner reads it and knows the calendar.

import type { TickSource } from '@homeostat/base/ticks'
import { Cron } from 'croner'

/** Throws for an expression or a time zone that is none. Default: UTC. `0/5` means every fifth from 0, as in other systems. */
export function cronTicks(expression: string, timeZone = 'UTC'): TickSource {
  // croner finds out only at the first use that a zone does not exist.
  new Intl.DateTimeFormat('en', { timeZone })
  const cron = new Cron(expression, { timezone: timeZone, mode: '5-or-6-parts', sloppyRanges: true, paused: true })
  return {
    after: (time) => cron.nextRun(new Date(time))?.getTime(),
    last(count, since, until) {
      if (count <= 0) return []
      // croner's are before the whole second that it is given.
      const end = (Math.floor(until / 1000) + 1) * 1000
      const ticks = cron.previousRuns(count, new Date(end)).map((tick) => tick.getTime())
      return ticks.filter((tick) => tick > since && tick <= until).reverse()
    },
  }
}
