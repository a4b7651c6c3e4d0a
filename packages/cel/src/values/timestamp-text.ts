// Timestamps as texts of RFC 3339, of the years 1 to 9999.

import { CelTimestamp } from './value.ts'

export const firstSecond = -62_135_596_800
export const lastSecond = 253_402_300_799

const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d))?$/

/** Undefined for a text that is no timestamp. A date alone is its midnight. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = found
  const days = daysOf(Number(year), Number(month), Number(day))
  const offset = offsetOf(zone)
  if (days === undefined || offset === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset
  return seconds < firstSecond || seconds > lastSecond
    ? undefined
    : new CelTimestamp(seconds, Number(fraction.slice(0, 9).padEnd(9, '0')))
}

function daysOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.getTime() / 86_400_000
}

function offsetOf(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60)
}

export function timestampText({ seconds, nanoseconds }: CelTimestamp): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = nanoseconds === 0 ? '' : `.${String(nanoseconds).padStart(9, '0').replace(/0+$/, '')}`
  return `${whole}${fraction}Z`
}
