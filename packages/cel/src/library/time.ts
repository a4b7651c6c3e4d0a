// The parts of timestamps, in UTC or a time zone, and of durations.

import { define, type FunctionDeclaration, type Library, member } from '../functions/declaration.ts'
import { durationType, intType, stringType, timestampType } from '../types/cel-type.ts'
import { type CelDuration, type CelTimestamp, Failure, type Value } from '../values/value.ts'

type Part = (time: Date, nanoseconds: number) => number

function startOfYear(time: Date): number {
  return new Date(time).setUTCMonth(0, 1)
}

const parts: Readonly<Record<string, readonly [string, Part]>> = {
  getFullYear: ['year', (time) => time.getUTCFullYear()],
  getMonth: ['month', (time) => time.getUTCMonth()],
  getDayOfYear: ['day_of_year', (time) => Math.floor((time.getTime() - startOfYear(time)) / 86_400_000)],
  getDayOfMonth: ['day_of_month', (time) => time.getUTCDate() - 1],
  getDate: ['day_of_month_1_based', (time) => time.getUTCDate()],
  getDayOfWeek: ['day_of_week', (time) => time.getUTCDay()],
  getHours: ['hours', (time) => time.getUTCHours()],
  getMinutes: ['minutes', (time) => time.getUTCMinutes()],
  getSeconds: ['seconds', (time) => time.getUTCSeconds()],
  getMilliseconds: ['milliseconds', (_time, nanoseconds) => Math.trunc(nanoseconds / 1e6)],
}

const durationParts: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
}

function partOf(part: Part): (time: CelTimestamp, zone?: string) => Value {
  return (time, zone) => {
    const offset = zone === undefined ? 0 : zoneOffset(time, zone)
    if (offset === undefined) return new Failure(`unknown time zone ${zone}`)
    return part(new Date((time.seconds + offset) * 1000), time.nanoseconds)
  }
}

/** In seconds, of `+02:00` or the name of a zone. */
function zoneOffset(time: CelTimestamp, zone: string): number | undefined {
  const fixed = /^([+-]?)(\d\d?):(\d\d)$/.exec(zone)
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60)
  if (zone === '' || zone === 'UTC') return 0
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
    const name =
      format.formatToParts(new Date(time.seconds * 1000)).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const found = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(name)
    if (found === null) return undefined
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = found
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  } catch {
    return undefined
  }
}

function declare([name, [id, part]]: [string, readonly [string, Part]]): FunctionDeclaration {
  const read = partOf(part)
  const unit = durationParts[name]
  const ofDuration =
    unit === undefined
      ? []
      : [
          member(`duration_to_${id}`, [durationType], intType, ({ nanoseconds }: CelDuration) =>
            Number(nanoseconds / unit),
          ),
        ]
  return define(
    name,
    member(`timestamp_to_${id}`, [timestampType], intType, (time: CelTimestamp) => read(time)),
    member(`timestamp_to_${id}_with_tz`, [timestampType, stringType], intType, read),
    ...ofDuration,
  )
}

export const timeLibrary: Library = { functions: Object.entries(parts).map(declare) }
