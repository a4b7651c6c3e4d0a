// Parses cron schedules as Kubernetes does: five fields, names of months and days, or one of the `@` words.

import { parseGoDuration } from '@homeostat/meta'

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
const WORDS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']

/** The error of the schedule; undefined when it is valid. */
export function scheduleError(text: string): string | undefined {
  const schedule = text.replace(/^(CRON_)?TZ=\S*\s/, '').trim()
  if (schedule.startsWith('@')) return wordError(schedule)
  const parts = schedule.split(/\s+/)
  if (schedule === '' || parts.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${schedule === '' ? 0 : parts.length}: ${schedule}`
  }
  for (const [index, field] of FIELDS.entries()) {
    for (const part of (parts[index] ?? '').split(',')) {
      const error = part === '' ? undefined : partError(part, field)
      if (error !== undefined) return error
    }
  }
  return undefined
}

function wordError(schedule: string): string | undefined {
  if (WORDS.includes(schedule)) return undefined
  const every = /^@every (.*)$/.exec(schedule)?.[1]
  if (every === undefined) return `unrecognized descriptor: ${schedule}`
  return parseGoDuration(every) === undefined ? `failed to parse duration ${schedule}` : undefined
}

/** `*`, `3`, `mon-fri`, each with an optional `/step`. */
function partError(part: string, field: Field): string | undefined {
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
  return step !== undefined && Number(step) === 0 ? `step of range should be a positive number: ${part}` : undefined
}

function positionOf(text: string, { names, from }: Field): number | undefined {
  const index = names?.indexOf(text.toLowerCase()) ?? -1
  if (index >= 0) return index + from
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
