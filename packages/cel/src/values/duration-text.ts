// Durations as texts, such as `1h30m` and `-1.5s`: as Go reads and CEL writes them.

import { CelDuration } from './value.ts'

const most = 2n ** 63n - 1n
const [POINT, ZERO, MINUS, PLUS] = [46, 48, 45, 43]
const [HOUR, MINUTE, SECOND, N, U, MICRO, MU] = [104, 109, 115, 110, 117, 0xb5, 0x3bc]

/** Undefined for a text that is no duration or one beyond 292 years. A walk over the characters, for the row `cel` of the benchmarks. */
export function parseDuration(text: string): CelDuration | undefined {
  const first = text.charCodeAt(0)
  const start = first === MINUS || first === PLUS ? 1 : 0
  if (text.length === start + 1 && text.charCodeAt(start) === ZERO) return new CelDuration(0n)
  if (text.length === start) return undefined
  // A number while it is safe, else both.
  let small = 0
  let large = 0n
  for (let at = start; at < text.length; ) {
    const whole = endOfDigits(text, at)
    const hasPoint = text.charCodeAt(whole) === POINT
    const end = hasPoint ? endOfDigits(text, whole + 1) : whole
    if (end - at === (hasPoint ? 1 : 0)) return undefined
    const unit = unitAt(text, end)
    if (unit === 0) return undefined
    const decimals = hasPoint ? Math.min(end - whole - 1, 18) : 0
    const amount = smallAmount(text.slice(at, whole), decimals === 0 ? '' : text.slice(whole + 1, end), unit)
    if (amount !== undefined && small + amount <= Number.MAX_SAFE_INTEGER) small += amount
    else {
      const digits = text.slice(at, whole).replace(/^0+/, '')
      // Beyond 292 years in every unit.
      if (digits.length > 20) return undefined
      large += largeAmount(digits, text.slice(whole + 1, whole + 1 + decimals), BigInt(unit))
    }
    at = end + (unit === 60e9 || unit === 3600e9 || unit === 1e9 ? 1 : 2)
  }
  const total = large + BigInt(small)
  const signed = first === MINUS ? -total : total
  return signed > most || signed < -most - 1n ? undefined : new CelDuration(signed)
}

function endOfDigits(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code >= ZERO && code <= ZERO + 9; code = text.charCodeAt(at)) at++
  return at
}

/** In nanoseconds; 0 where there is none. */
function unitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const isOfSecond = text.charCodeAt(at + 1) === SECOND
  if (code === HOUR) return 3600e9
  if (code === MINUTE) return isOfSecond ? 1e6 : 60e9
  if (code === SECOND) return 1e9
  if (!isOfSecond) return 0
  if (code === N) return 1
  return code === U || code === MICRO || code === MU ? 1e3 : 0
}

/** Above it a quotient that is just below a whole number may be rounded to it. */
const mostDivided = 2 ** 52

/** Undefined where it is not certain that numbers are exact. */
function smallAmount(whole: string, fraction: string, unit: number): number | undefined {
  if (whole.length > 15 || fraction.length > 9) return undefined
  const amount = Number(whole) * unit
  if (amount > Number.MAX_SAFE_INTEGER) return undefined
  if (fraction === '') return amount
  const parts = Number(fraction) * unit
  return parts > mostDivided ? undefined : amount + Math.floor(parts / 10 ** fraction.length)
}

function largeAmount(whole: string, fraction: string, unit: bigint): bigint {
  const parts = fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length)
  return BigInt(whole) * unit + parts
}

/** In seconds, as CEL's string() writes it. */
export function durationText({ nanoseconds }: CelDuration): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = (absolute % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
