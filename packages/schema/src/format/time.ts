// Dates, times and durations as the formats `date`, `date-time` and `duration` accept them.

const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/
const timeShape = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/

export function isDate(value: string): boolean {
  const parts = dateShape.exec(value)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

export function isDateTime(value: string): boolean {
  const [date = '', time] = value.toLowerCase().split('t', 2)
  if (time === undefined || !isDate(date)) return false
  const parts = timeShape.exec(time)
  return parts !== null && Number(parts[1]) <= 23 && Number(parts[2]) <= 59 && Number(parts[3]) <= 59
}

const goDuration = /^[-+]?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/
const longUnits = /^(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)$/
const longPrefixes = /^(nano|micro|milli|sec|min|hour|day|week)/
const maxDurationText = 256

/** Go's durations, and the longer "3 days" form with at least one known unit. */
export function isDuration(value: string): boolean {
  if (value.length > maxDurationText) return false
  if (goDuration.test(value)) return true
  for (const [, , unit = ''] of value.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const lower = unit.toLowerCase()
    if (longUnits.test(lower) || longPrefixes.test(lower)) return true
  }
  return false
}
