// Numbers as people read them. Pure.

export function perSecond(value: number): string {
  return `${short(value)}/s`
}

export function milliseconds(value: number): string {
  return value >= 1000 ? `${short(value / 1000)} s` : `${short(value)} ms`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function bytes(value: number): string {
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${short(value)} ${UNITS[unit]}`
}

export function share(value: number): string {
  return `${short(value * 100)} %`
}

/** Three digits that count. */
export function short(value: number): string {
  if (value >= 10_000) return `${Math.round(value / 1000).toLocaleString('en')}k`
  if (value >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
