// Durations: ages as kubectl shows them, and the text Go reads and flags take.

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

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
}
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y

/** Milliseconds of `1h30m`, `-1.5s`, `300ms`, `0`; undefined when the text is no Go duration. */
export function parseGoDuration(text: string): number | undefined {
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

function two(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
}
