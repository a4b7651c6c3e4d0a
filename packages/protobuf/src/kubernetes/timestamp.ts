// Seconds and nanoseconds since 1970 as RFC 3339 and back. Times show whole seconds, micro times microseconds.

export interface Instant {
  readonly seconds: number
  readonly micros: number
}

/** What Go's zero time is on the wire when somebody writes it out: in JSON that is null. */
const ZERO_SECONDS = -62135596800
const FIRST_SECOND = -62167219200
const LAST_SECOND = 253402300799
const NANOS = 1_000_000_000

/** Null for the zero time; throws nothing, and is undefined beyond the years that can be written. */
export function timeText(seconds: number, nanos: number): string | null | undefined {
  return textOf(seconds, nanos, '')
}

export function microTimeText(seconds: number, nanos: number): string | null | undefined {
  return textOf(seconds, nanos, `.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}`)
}

function textOf(seconds: number, nanos: number, fraction: string): string | null | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND && nanos >= 0 && nanos < NANOS)) return undefined
  if (seconds === ZERO_SECONDS && /^[.0]*$/.test(fraction)) return null
  return `${new Date(seconds * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${fraction}Z`
}

/** Undefined when the text is no time. */
export function instantOf(text: string): Instant | undefined {
  const found = RFC3339.exec(text)
  if (!found) return undefined
  const [, date, fraction = '', zone] = found
  const milliseconds = Date.parse(`${date}${zone}`.toUpperCase())
  if (Number.isNaN(milliseconds)) return undefined
  return { seconds: milliseconds / 1000, micros: Number(fraction.padEnd(6, '0').slice(0, 6)) }
}

const RFC3339 = /^(\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d)(?:\.(\d+))?(z|[+-]\d\d:\d\d)$/i
