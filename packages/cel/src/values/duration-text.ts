// Durations as texts, such as `1h30m` and `-1.5s`: as Go reads and CEL writes them.

import { CelDuration } from './value.ts'

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const most = 2n ** 63n - 1n

/** Undefined for a text that is no duration or one beyond 292 years. */
export function parseDuration(text: string): CelDuration | undefined {
  const whole = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text)
  if (whole === null) return undefined
  let total = 0n
  for (const part of (whole[2] as string).matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g)) {
    const unit = units[part[3] as string] as bigint
    const fraction = (part[2] ?? '').slice(0, 18)
    total +=
      BigInt(part[1] || 0) * unit + (fraction === '' ? 0n : (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length))
  }
  const signed = whole[1] === '-' ? -total : total
  return signed > most || signed < -most - 1n ? undefined : new CelDuration(signed)
}

/** In seconds, as CEL's string() writes it. */
export function durationText({ nanoseconds }: CelDuration): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = (absolute % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
