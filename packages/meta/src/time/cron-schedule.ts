// Reads cron schedules as Kubernetes does: five fields, names of months and days, or one of the `@` words. Pure. The API server
// validates CronJobs with it, and their controller takes the fields; when they are due is for a calendar to say.

import { parseGoDuration } from './duration.ts'

/** `fields` are minute, hour, day of month, month and day of week (Sunday is 0); undefined for any value. */
export type CronSchedule = { readonly zone?: string } & (
  | { readonly everyMs: number }
  | { readonly fields: readonly (readonly number[] | undefined)[] }
)

interface Field {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly names?: readonly string[]
}

const FIELDS: readonly Field[] = [
  { name: 'minute', from: 0, to: 59 },
  { name: 'hour', from: 0, to: 23 },
  { name: 'day of month', from: 1, to: 31 },
  { name: 'month', from: 1, to: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { name: 'day of week', from: 0, to: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]
const WORDS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** A text is what is wrong with the schedule. */
export function readCronSchedule(text: string): CronSchedule | string {
  const [prefix = '', zone] = /^(?:CRON_)?TZ=(\S*)\s/.exec(text) ?? []
  const schedule = text.slice(prefix.length).trim()
  const read = schedule.startsWith('@') ? readWord(schedule) : readFields(schedule)
  return typeof read === 'string' || zone === undefined ? read : { ...read, zone }
}

function readWord(schedule: string): CronSchedule | string {
  const fields = Object.hasOwn(WORDS, schedule) ? WORDS[schedule] : undefined
  if (fields !== undefined) return readFields(fields)
  const every = /^@every (.*)$/.exec(schedule)?.[1]
  if (every === undefined) return `unrecognized descriptor: ${schedule}`
  const ms = parseGoDuration(every)
  if (ms === undefined) return `failed to parse duration ${schedule}`
  // Whole seconds, and one at least.
  return { everyMs: Math.max(1, Math.floor(ms / 1000)) * 1000 }
}

function readFields(schedule: string): CronSchedule | string {
  const parts = schedule.split(/\s+/)
  if (schedule === '' || parts.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${schedule === '' ? 0 : parts.length}: ${schedule}`
  }
  const fields: (readonly number[] | undefined)[] = []
  for (const [index, field] of FIELDS.entries()) {
    const values = readField(parts[index] ?? '', field)
    if (typeof values === 'string') return values
    fields.push(values)
  }
  return { fields }
}

/** Parts with commas between; empty ones count for nothing. */
function readField(text: string, field: Field): readonly number[] | undefined | string {
  const values = new Set<number>()
  let isAny = false
  for (const part of text.split(',')) {
    const range = part === '' ? undefined : readRange(part, field)
    if (typeof range === 'string') return range
    if (range === undefined) continue
    isAny ||= range.isAny
    for (let value = range.start; value <= range.end; value += range.step) values.add(value)
  }
  return isAny ? undefined : [...values].sort((a, b) => a - b)
}

interface Range {
  readonly start: number
  readonly end: number
  readonly step: number
  /** `*` with a step is a list of values: with another restricted day, either of them is enough. */
  readonly isAny: boolean
}

/** `*`, `3`, `mon-fri`, each with an optional `/step`. */
function readRange(part: string, field: Field): Range | string {
  const [range = '', step, ...more] = part.split('/')
  const [low = '', high, ...rest] = range.split('-')
  if (more.length > 0) return `too many slashes: ${part}`
  if (rest.length > 0) return `too many hyphens: ${part}`
  const open = low === '*' || low === '?'
  const start = open ? field.from : positionOf(low, field)
  const end = open ? field.to : high === undefined ? (step === undefined ? start : field.to) : positionOf(high, field)
  if (start === undefined || end === undefined) return `failed to parse the ${field.name}: ${part}`
  if (step !== undefined && !/^\d+$/.test(step)) return `failed to parse the step: ${part}`
  if (start < field.from) return `beginning of range (${start}) below minimum (${field.from}): ${part}`
  if (end > field.to) return `end of range (${end}) above maximum (${field.to}): ${part}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${part}`
  const by = Number(step ?? 1)
  return by === 0
    ? `step of range should be a positive number: ${part}`
    : { start, end, step: by, isAny: open && by === 1 }
}

function positionOf(text: string, { names, from }: Field): number | undefined {
  const index = names?.indexOf(text.toLowerCase()) ?? -1
  if (index >= 0) return index + from
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
