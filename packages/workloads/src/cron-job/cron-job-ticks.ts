// The ticks of a CronJob. Fields are read as Kubernetes reads them, and croner knows the calendar: where the clock is set forward, a
// time that does not exist is the next one that does; where it is set back, a time of day comes once.

import { calendarTicks, intervalTicks, type TickSource } from '@homeostat/base/ticks'
import { parseRfc3339 } from '@homeostat/meta'
import { readCronSchedule } from '@homeostat/meta/cron'
import { Cron } from 'croner'
import type { CronJob } from '../kinds.ts'

/** A text is what is wrong. `localZone`: of schedules that name no time zone. */
export function cronJobTicks({ metadata, spec = {} }: CronJob, localZone: string): TickSource | string {
  const schedule = readCronSchedule(spec.schedule ?? '')
  if (typeof schedule === 'string') return schedule
  const zone = schedule.zone ?? spec.timeZone ?? localZone
  if (!isZone(zone)) return `unknown time zone ${zone}`
  if ('everyMs' in schedule) return intervalTicks(schedule.everyMs, parseRfc3339(metadata.creationTimestamp ?? '') ?? 0)
  // A field of empty parts matches nothing.
  if (schedule.fields.some((values) => values?.length === 0)) return NEVER
  const pattern = schedule.fields.map((values) => values?.join(',') ?? '*').join(' ')
  return calendarTicks(new Cron(pattern, { timezone: zone, mode: '5-part', paused: true }))
}

const NEVER: TickSource = { after: () => undefined, last: () => [] }

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** The time of this process's zone, as the controllers of a cluster take theirs. */
export function zoneOfProcess(): string {
  return new Intl.DateTimeFormat('en').resolvedOptions().timeZone ?? 'UTC'
}
