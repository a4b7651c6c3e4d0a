// Timestamps as texts of RFC 3339, of the years 1 to 9999.

import { CelTimestamp } from './value.ts'

export const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799

const [DASH, COLON, POINT, COMMA, PLUS, SPACE, ZERO, T, Z] = [45, 58, 46, 44, 43, 32, 48, 0x74, 0x7a]

/**
 * Undefined for a text that is no timestamp. A date alone is its midnight. Reads characters at their places, for the row `cel` of the
 * benchmarks.
 */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const days = daysOf(year, twoDigits(text, 5), twoDigits(text, 8))
  if (days === undefined || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined
  if (text.length === 10) return year < 1 ? undefined : new CelTimestamp(days * 86_400, 0)
  const separator = text.charCodeAt(10)
  if ((separator | 0x20) !== T && separator !== SPACE) return undefined
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  // Not a comparison with what is too large, which NaN would pass.
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  const mark = text.charCodeAt(19)
  const end = mark === POINT || mark === COMMA ? endOfDigits(text, 20) : 19
  if (end === 20) return undefined
  const offset = offsetOf(text, end)
  if (offset === undefined) return undefined
  const seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
  if (seconds < firstSecond || seconds > lastSecond) return undefined
  return new CelTimestamp(seconds, end === 19 ? 0 : nanosecondsOf(text, end))
}

/** NaN where there are none. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

function endOfDigits(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code >= ZERO && code <= ZERO + 9; code = text.charCodeAt(at)) at++
  return at
}

/** Of the digits from place 20 on, of which nine count. */
function nanosecondsOf(text: string, end: number): number {
  let value = 0
  for (let at = 20; at < 29; at++) value = value * 10 + (at < end ? text.charCodeAt(at) - ZERO : 0)
  return value
}

const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const daysUntil1970 = 719_162

/** Since 1970, of the calendar that goes on into the past. */
function daysOf(year: number, month: number, day: number): number | undefined {
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return undefined
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const before = daysBefore[month - 1] as number
  const length = month === 2 ? (isLeap ? 29 : 28) : (daysBefore[month] ?? 365) - before
  if (day > length) return undefined
  const years = year - 1
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return years * 365 + leaps + before + (isLeap && month > 2 ? 1 : 0) + day - 1 - daysUntil1970
}

/** In seconds, of `Z` or `+02:00` at the end of the text. */
function offsetOf(text: string, at: number): number | undefined {
  const sign = text.charCodeAt(at)
  if ((sign | 0x20) === Z) return text.length === at + 1 ? 0 : undefined
  if ((sign !== PLUS && sign !== DASH) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON) return undefined
  const [hours, minutes] = [twoDigits(text, at + 1), twoDigits(text, at + 4)]
  if (!(hours <= 23 && minutes <= 59)) return undefined
  return (sign === DASH ? -1 : 1) * (hours * 3600 + minutes * 60)
}

export function timestampText({ seconds, nanoseconds }: CelTimestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`
  return `${whole}${fraction}Z`
}
