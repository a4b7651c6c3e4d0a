// Filters of single columns: `web` contains, `=web` equals, `!web` does not contain, `>5` and `<10m` compare numbers, quantities of
// time and times. They are in the address as one list. Pure.

import { joinList, splitList } from './column-spec.ts'

export type ColumnFilters = Readonly<Record<string, string>>

/** `Phase::=Failed,Attempt::>2`. */
export function parseFilters(text: string | undefined): ColumnFilters {
  const filters: Record<string, string> = Object.create(null)
  for (const item of splitList(text ?? '')) {
    const at = item.lastIndexOf('::')
    if (at > 0) filters[item.slice(0, at)] = item.slice(at + 2)
  }
  return filters
}

export function printFilters(filters: ColumnFilters): string | undefined {
  const items = Object.entries(filters).filter(([, wanted]) => wanted !== '')
  return items.length === 0 ? undefined : joinList(items.map(([name, wanted]) => `${name}::${wanted}`))
}

export type Matches = (value: unknown) => boolean

/** `now` turns times into ages: `<1h` is younger than an hour. */
export function matcherOf(wanted: string, now: number): Matches {
  const operator = /^[=!<>]/.exec(wanted)?.[0]
  const text = (operator === undefined ? wanted : wanted.slice(1)).trim().toLowerCase()
  if (text === '' && operator !== '=') return () => true
  if (operator === '=') return (value) => lower(value) === text
  if (operator === '!') return (value) => !lower(value).includes(text)
  if (operator === undefined) return (value) => lower(value).includes(text)
  const bound = amountOf(text, now)
  if (bound === undefined) return () => true
  return (value) => {
    const amount = amountOf(value, now)
    if (amount === undefined) return false
    return operator === '<' ? amount < bound : amount > bound
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }
const TIME = /^\d{4}-\d\d-\d\dt/

/** A number; seconds for `5m10s` and, as an age, for a time. */
function amountOf(value: unknown, now: number): number | undefined {
  if (typeof value === 'number') return value
  const text = lower(value)
  if (TIME.test(text)) {
    const time = Date.parse(text)
    return Number.isNaN(time) ? undefined : (now - time) / 1000
  }
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (!/^(?:\d+[smhdy])+$/.test(text)) return undefined
  let seconds = 0
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhdy])/g)) seconds += Number(count) * (UNITS[unit] ?? 0)
  return seconds
}

/** A long cell costs what its first letters cost. */
const LONGEST = 10_000

function lower(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.slice(0, LONGEST).toLowerCase()
}
