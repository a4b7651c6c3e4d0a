// Says in words when a schedule is due: "every weekday at 09:00 Europe/Berlin". Pure. What has no simple words is shown as it is
// written, never wrongly.

import type { ScheduleSpec } from '@homeostat/executor/schedules'

export function timingWords({ cron, timeZone, intervalSeconds, at }: ScheduleSpec): string {
  if (cron !== undefined) return `${cronWords(cron)} ${timeZone ?? 'UTC'}`
  if (intervalSeconds !== undefined) return `every ${durationWords(intervalSeconds)}`
  return at === undefined ? 'never' : `once, at ${at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}`
}

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

export function cronWords(expression: string): string {
  const text = MACROS[expression.trim().toLowerCase()] ?? expression.trim()
  const fields = text.split(/\s+/)
  const [second, minute, hour, day, month, weekday] = fields.length === 6 ? fields : ['0', ...fields]
  const plain = `at ${expression.trim()}`
  if (fields.length < 5 || fields.length > 6 || weekday === undefined) return plain
  const time = timeWords(second ?? '', minute ?? '', hour ?? '')
  const days = dayWords(day ?? '', month ?? '', weekday)
  if (time === undefined || days === undefined) return plain
  if (time.isPoint) return days === '' ? `every day at ${time.text}` : `${days} at ${time.text}`
  return days === '' ? time.text : `${time.text}, ${days}`
}

interface Time {
  readonly text: string
  /** One or a few times of the day. */
  readonly isPoint: boolean
}

const MOST_TIMES = 4

function timeWords(second: string, minute: string, hour: string): Time | undefined {
  const everySecond = stepOf(second, 60)
  if (everySecond !== undefined && minute === '*' && hour === '*')
    return { text: everyWords(everySecond, 'second'), isPoint: false }
  if (!isNumber(second)) return undefined
  const tail = second === '0' || second === '00' ? '' : `:${two(second)}`
  const everyMinute = stepOf(minute, 60)
  if (everyMinute !== undefined && tail === '') {
    const within = hour === '*' ? '' : hoursWords(hour)
    return within === undefined ? undefined : { text: `${everyWords(everyMinute, 'minute')}${within}`, isPoint: false }
  }
  const minutes = listOf(minute, 0, 59)
  if (minutes === undefined) return undefined
  const everyHour = stepOf(hour, 24)
  if (everyHour !== undefined) {
    const past = minutes.map((one) => `:${two(one)}${tail}`).join(', ')
    return { text: `${everyWords(everyHour, 'hour')} at ${past}`, isPoint: false }
  }
  const hours = listOf(hour, 0, 23)
  if (hours === undefined || hours.length * minutes.length > MOST_TIMES) return undefined
  const times = hours.flatMap((one) => minutes.map((other) => `${two(one)}:${two(other)}${tail}`))
  return { text: listed(times), isPoint: true }
}

function hoursWords(hour: string): string | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(hour) ?? []
  if (from !== undefined && to !== undefined) return ` from ${two(from)}:00 to ${two(to)}:59`
  return isNumber(hour) ? ` from ${two(hour)}:00 to ${two(hour)}:59` : undefined
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Empty for every day. */
function dayWords(day: string, month: string, weekday: string): string | undefined {
  const anyDay = day === '*' || day === '?'
  const anyWeekday = weekday === '*' || weekday === '?'
  const months = month === '*' ? [] : namesOf(month, MONTHS, 1)
  if (months === undefined) return undefined
  // Both together mean either of them, which no short sentence says.
  if (!anyDay && !anyWeekday) return undefined
  const inMonths = months.length === 0 ? '' : ` in ${listed(months)}`
  if (!anyDay) return monthDayWords(day, inMonths)
  if (anyWeekday) return inMonths === '' ? '' : `every day${inMonths}`
  const days = namesOf(weekday, DAYS, 0)
  if (days === undefined) return undefined
  return `${weekdayWords(days)}${inMonths}`
}

function monthDayWords(day: string, inMonths: string): string | undefined {
  if (day.toUpperCase() === 'L') return `on the last day of ${inMonths === '' ? 'every month' : inMonths.slice(4)}`
  const days = listOf(day, 1, 31)
  if (days === undefined || days.length > MOST_TIMES) return undefined
  return `on the ${listed(days.map(ordinal))} of ${inMonths === '' ? 'every month' : inMonths.slice(4)}`
}

function weekdayWords(days: readonly string[]): string {
  const set = [...new Set(days)]
  if (set.length === 7) return 'every day'
  const isWeekend = (name: string) => name === 'Saturday' || name === 'Sunday'
  if (set.length === 5 && !set.some(isWeekend)) return 'every weekday'
  if (set.length === 2 && set.every(isWeekend)) return 'every Saturday and Sunday'
  return `every ${listed(set)}`
}

/** Numbers and names, in lists and ranges. */
function namesOf(field: string, names: readonly string[], first: number): string[] | undefined {
  const numbers = field.split(',').map((part) =>
    part
      .split('-')
      .map((one) => {
        const named = names.findIndex((name) => name.slice(0, 3).toUpperCase() === one.toUpperCase())
        return named < 0 ? one : String(named + first)
      })
      .join('-'),
  )
  const found = listOf(numbers.join(','), first, first === 0 ? 7 : 12)
  return found?.map((number) => names[(Number(number) - first) % names.length] ?? '')
}

/** Undefined for what is neither numbers nor ranges of them. */
function listOf(field: string, least: number, most: number): string[] | undefined {
  const found: string[] = []
  for (const part of field.split(',')) {
    const [, from, to = from] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (from === undefined || first < least || last > most || last < first) return undefined
    for (let number = first; number <= last; number++) found.push(String(number))
  }
  return found
}

/** The step of a field that begins anew evenly; an uneven one would have a shorter pause each hour or day. */
function stepOf(field: string, size: number): number | undefined {
  if (field === '*') return 1
  const step = Number(/^(?:\*|0)\/(\d+)$/.exec(field)?.[1])
  return step > 0 && size % step === 0 ? step : undefined
}

function everyWords(step: number, unit: string): string {
  return step === 1 ? `every ${unit}` : `every ${step} ${unit}s`
}

const UNITS: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

export function durationWords(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 'second']
  const count = seconds / size
  return count === 1 ? unit : `${count} ${unit}s`
}

const isNumber = (field: string) => /^\d{1,2}$/.test(field)
const two = (number: string) => number.padStart(2, '0')

function ordinal(number: string): string {
  const tens = Number(number) % 100
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][Number(number) % 10] ?? 'th')
  return `${number}${ending}`
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
