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

function partOf(part: Part, zones: RecentZones): (time: CelTimestamp, zone?: string) => Value {
  return (time, zone) => {
    const offset = zone === undefined ? 0 : zones.offset(time, zone)
    if (offset === undefined) return new Failure(`unknown time zone ${zone}`)
    return part(new Date((time.seconds + offset) * 1000), time.nanoseconds)
  }
}

/** What knows the last zones of one environment: making it takes a tenth of a millisecond. For the row `cel` of the benchmarks. */
class RecentZones {
  readonly #formats = new Map<string, Intl.DateTimeFormat | undefined>()

  /** In seconds, of `+02:00` or the name of a zone. */
  offset(time: CelTimestamp, zone: string): number | undefined {
    if (zone === '' || zone === 'UTC') return 0
    const fixed = /^([+-]?)(\d\d?):(\d\d)$/.exec(zone)
    if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60)
    const name = this.#formatOf(zone)?.format(time.seconds * 1000)
    const found = name === undefined ? null : /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(name)
    if (found === null) return undefined
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = found
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }

  #formatOf(zone: string): Intl.DateTimeFormat | undefined {
    if (this.#formats.has(zone)) return this.#formats.get(zone)
    const format = formatOf(zone)
    if (this.#formats.size >= 16) this.#formats.clear()
    if (zone.length <= 64) this.#formats.set(zone, format)
    return format
  }
}

/** Undefined for a name that no zone has. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  } catch {
    return undefined
  }
}

function declare(name: string, [id, part]: readonly [string, Part], zones: RecentZones): FunctionDeclaration {
  const read = partOf(part, zones)
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

/** A library with time zones of its own. */
export function timeLibrary(): Library {
  const zones = new RecentZones()
  return { functions: Object.entries(parts).map(([name, declared]) => declare(name, declared, zones)) }
}
