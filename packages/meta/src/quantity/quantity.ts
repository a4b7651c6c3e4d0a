// Amounts such as `500m`, `1Gi` or `2e3`, in billionths, which is the finest that Kubernetes keeps. Read from text or
// numbers, compared, and written in the one form that the API answers with.

export interface Quantity {
  readonly nanos: bigint
  /** How it was written, which decides how it is written back. */
  readonly format: 'decimal' | 'binary' | 'exponent'
}

const NANO = 1_000_000_000n
/** Binary amounts beyond a signed 64-bit integer are cut down to it. */
const MOST = (2n ** 63n - 1n) * NANO
const MAX_LENGTH = 256

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*(?:[eE][+-]?\d+)?)$/
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const DECIMAL_SUFFIX = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]))
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Undefined when the value is no quantity. */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined
  const [, sign, whole = '', fraction = '', suffix = ''] = SHAPE.exec(text.trim()) ?? []
  if (whole === '' && fraction === '') return undefined
  const scale = scaleOf(suffix)
  if (!scale) return undefined
  const digits = BigInt(whole + fraction) * scale.factor
  const size = shifted(digits, scale.exponent - fraction.length + 9)
  const nanos = scale.format === 'binary' && size > MOST ? MOST : size
  const format = scale.format === 'binary' && nanos < NANO ? 'decimal' : scale.format
  return { nanos: sign === '-' ? -nanos : nanos, format }
}

/** The canonical text; undefined when the value is no quantity. */
export function canonicalQuantity(value: unknown): string | undefined {
  const quantity = parseQuantity(value)
  return quantity && formatQuantity(quantity)
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1
}

/** No digit is lost, and the number before the suffix is whole. */
export function formatQuantity({ nanos, format }: Quantity): string {
  if (nanos === 0n) return '0'
  const size = nanos < 0n ? -nanos : nanos
  const sign = nanos < 0n ? '-' : ''
  if (format === 'binary' && size >= 1024n * NANO && size % NANO === 0n) return sign + binaryText(size / NANO)
  let mantissa = size
  let exponent = -9
  while (mantissa % 1000n === 0n) {
    mantissa /= 1000n
    exponent += 3
  }
  if (format === 'exponent') return `${sign}${mantissa}${exponent === 0 ? '' : `e${exponent}`}`
  return sign + mantissa + (DECIMAL_SUFFIX.get(exponent) ?? '')
}

function binaryText(units: bigint): string {
  let mantissa = units
  let power = 0
  while (mantissa % 1024n === 0n && power < BINARY.length - 1) {
    mantissa /= 1024n
    power++
  }
  return `${mantissa}${BINARY[power]}`
}

interface Scale {
  readonly factor: bigint
  readonly exponent: number
  readonly format: Quantity['format']
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = Object.hasOwn(DECIMAL, suffix) ? DECIMAL[suffix] : undefined
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, format: 'decimal' }
  const binary = BINARY.indexOf(suffix)
  if (binary > 0) return { factor: 1024n ** BigInt(binary), exponent: 0, format: 'binary' }
  const exponent = /^[eE]([+-]?\d{1,3})$/.exec(suffix)?.[1]
  return exponent === undefined ? undefined : { factor: 1n, exponent: Number(exponent), format: 'exponent' }
}

/** `digits` times ten to the power; what does not fit is rounded away from zero. */
function shifted(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return (digits + divisor - 1n) / divisor
}
