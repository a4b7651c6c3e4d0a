// Timestamps as Kubernetes writes them: metav1.Time in whole seconds, MicroTime with six digits, both in UTC.

/** The last moment that RFC 3339 can say, in ms since the epoch. */
export const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** Milliseconds may have a fraction. */
export function rfc3339Micro(ms: number): string {
  const micros = Math.floor(ms * 1000)
  const seconds = Math.floor(micros / 1e6)
  const fraction = String(micros - seconds * 1e6).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

/** Milliseconds since the epoch, with a fraction where the text is finer; undefined when it is not RFC 3339. */
export function parseRfc3339(text: string): number | undefined {
  // Parsed by hand: a queue reads several times per changed object, where a regular expression would dominate the cost.
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return undefined
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return undefined
  const end = fractionEnd(text)
  const offset = end < 0 ? undefined : offsetMinutes(text, end)
  if (offset === undefined) return undefined
  const fraction = end === SECONDS_END ? 0 : Number(text.slice(SECONDS_END, end)) * 1000
  return utc(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction
}

const SECONDS_END = 19
const MAX_FRACTION = 30

/** The number that so many digits say; -1 when one is none. */
function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

/** Where the fraction of a second ends, if there is one; -1 when it is none. */
function fractionEnd(text: string): number {
  if (text[SECONDS_END] !== '.') return SECONDS_END
  let end = SECONDS_END + 1
  while (digits(text, end, 1) >= 0) end++
  const count = end - SECONDS_END - 1
  return count >= 1 && count <= MAX_FRACTION ? end : -1
}

/** Of the zone at the end of the text; undefined when it is none. */
function offsetMinutes(text: string, at: number): number | undefined {
  if (text[at] === 'Z') return text.length === at + 1 ? 0 : undefined
  const hours = digits(text, at + 1, 2)
  const minutes = digits(text, at + 4, 2)
  const sign = text[at]
  if ((sign !== '+' && sign !== '-') || text[at + 3] !== ':' || text.length !== at + 6) return undefined
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined
  return (hours * 60 + minutes) * (sign === '-' ? -1 : 1)
}

/** Date.UTC would take the years 0 to 99 for those of the last century. */
function utc(year: number, month: number, day: number): number {
  return year >= 100 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
