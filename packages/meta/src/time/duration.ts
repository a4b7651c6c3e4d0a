// Durations: ages as kubectl shows them, and what flags and authors of operators and executors write.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** `5s`, `2m3s`, `15m`, `3h20m`, `2d4h`, `9d`, `2y30d`: two units only while the first is small. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(ms / MINUTE)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(ms / HOUR)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 24 * 8) return two(days, 'd', hours % 24, 'h')
  if (hours < 24 * 365 * 2) return `${days}d`
  const years = Math.floor(days / 365)
  if (hours < 24 * 365 * 8) return two(years, 'y', days % 365, 'd')
  return `${years}y`
}

type Unit = 'ms' | 's' | 'm' | 'h' | 'd'

/** `90s`, `10m`, `1h30m`, `2d`. */
export type DurationText =
  | `${number}${Unit}`
  | `${number}d${number}h`
  | `${number}h${number}m`
  | `${number}h${number}m${number}s`
  | `${number}m${number}s`

/** Added up. */
export interface DurationFields {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

/** A duration as authors write it: `'10s'` or `{ seconds: 10 }`. A bare number would leave its unit to be guessed. */
export type Duration = DurationText | DurationFields

const FIELDS: Readonly<Record<keyof DurationFields, number>> = {
  days: 24 * HOUR,
  hours: HOUR,
  minutes: MINUTE,
  seconds: SECOND,
  milliseconds: 1,
}

/** Throws for anything that is not a duration, so that `10 minutes` or 10 is never read as zero or in a guessed unit. */
export function milliseconds(duration: Duration): number {
  const ms = typeof duration === 'string' ? parseDuration(duration) : ofFields(duration)
  if (ms !== undefined && ms >= 0 && Number.isFinite(ms)) return ms
  throw new Error(`${shown(duration)} is not a duration: write '10s', '1h30m' or { seconds: 10 }`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${shown(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

function ofFields(fields: unknown): number | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const entries = Object.entries(fields).filter(([, amount]) => amount !== undefined)
  if (entries.length === 0) return undefined
  let total = 0
  for (const [field, amount] of entries) {
    const unit = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof DurationFields] : undefined
    if (unit === undefined || typeof amount !== 'number') return undefined
    total += amount * unit
  }
  return total
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
  d: 24 * HOUR,
}
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h|d)/y

/** Milliseconds of `1h30m`, `-1.5s`, `300ms`, `2d`, `0`; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const negative = text.startsWith('-')
  const body = negative || text.startsWith('+') ? text.slice(1) : text
  if (body === '0') return 0
  if (body === '') return undefined
  let total = 0
  for (let at = 0; at < body.length; at = PART.lastIndex) {
    PART.lastIndex = at
    const match = PART.exec(body)
    if (!match) return undefined
    total += Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0)
  }
  return negative ? -total : total
}

/** The same in Go's grammar, which has no days. */
export function parseGoDuration(text: string): number | undefined {
  return text.includes('d') ? undefined : parseDuration(text)
}

function two(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
}
