// The ticks of a cron expression with five fields, or six with seconds, in a time zone. croner reads it and knows the calendar.

import { calendarTicks, type TickSource } from '@homeostat/base/ticks'
import { Cron } from 'croner'

/** Throws for an expression or a time zone that is none. Default: UTC. `0/5` means every fifth from 0, as in other systems. */
export function cronTicks(expression: string, timeZone = 'UTC'): TickSource {
  // croner finds out only at the first use that a zone does not exist.
  new Intl.DateTimeFormat('en', { timeZone })
  // croner would take a date, too, which is what `at` is for.
  if (/^\d{4}-/.test(expression.trim())) throw new Error('is a date and no cron expression; one time is `at`')
  return calendarTicks(
    new Cron(expression, { timezone: timeZone, mode: '5-or-6-parts', sloppyRanges: true, paused: true }),
  )
}
