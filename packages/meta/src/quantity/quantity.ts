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

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const DECIMAL_SUFFIX = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]))
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Undefined when the value is no quantity. */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return undefined
  const parts = partsOf(text.trim())
  if (parts === undefined) return undefined
  const { isNegative, digits, decimals, scale } = parts
  const size = nanosOf(digits, decimals, scale)
  const nanos = scale.format === 'binary' && size > MOST ? MOST : size
  const format = scale.format === 'binary' && nanos < NANO ? 'decimal' : scale.format
  return { nanos: isNegative ? -nanos : nanos, format }
}

/** Whether a text is a quantity: its shape alone, without the amount. */
export function isQuantityText(text: string): boolean {
  return text.length <= MAX_LENGTH && partsOf(text) !== undefined
}

interface Parts {
  readonly isNegative: boolean
  /** Of the whole number and behind the point. */
  readonly digits: string
  /** How many of them are behind the point. */
  readonly decimals: number
  readonly scale: Scale
}

/** A walk over the characters: expressions read one for each item of a list, and a regular expression takes five times as long. */
function partsOf(text: string): Parts | undefined {
  const first = text.charCodeAt(0)
  const start = first === MINUS || first === PLUS ? 1 : 0
  const whole = endOfDigits(text, start)
  const hasPoint = text.charCodeAt(whole) === POINT
  const end = hasPoint ? endOfDigits(text, whole + 1) : whole
  const decimals = hasPoint ? end - whole - 1 : 0
  if (whole - start + decimals === 0) return undefined
  const scale = scaleOf(text, end)
  if (scale === undefined) return undefined
  const digits = decimals === 0 ? text.slice(start, whole) : text.slice(start, whole) + text.slice(whole + 1, end)
  return { isNegative: first === MINUS, digits, decimals, scale }
}

const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48

function endOfDigits(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); code >= ZERO && code <= ZERO + 9; code = text.charCodeAt(at)) at++
  return at
}

/** In billionths; what does not fit is rounded away from zero. */
function nanosOf(digits: string, decimals: number, { nanos, smallNanos, shift }: Scale): bigint {
  const divisor = decimals + shift
  const amount = Number(digits) * smallNanos
  if (amount <= Number.MAX_SAFE_INTEGER && divisor <= 15) {
    const rest = amount % 10 ** divisor
    return BigInt((amount - rest) / 10 ** divisor + (rest > 0 ? 1 : 0))
  }
  const large = BigInt(digits) * nanos
  if (divisor === 0) return large
  const divided = 10n ** BigInt(divisor)
  return (large + divided - 1n) / divided
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
  /** Billionths in one of it. */
  readonly nanos: bigint
  /** The same where it is safe, else infinite. */
  readonly smallNanos: number
  /** Decimal places by which the amount is less than that. */
  readonly shift: number
  readonly format: Quantity['format']
}

const SCALES: ReadonlyMap<string, Scale> = new Map([
  ...Object.entries(DECIMAL).map(([suffix, exponent]): [string, Scale] => [suffix, decimalScale(exponent, 'decimal')]),
  ...BINARY.slice(1).map((suffix, index): [string, Scale] => [
    suffix,
    scale(NANO * 1024n ** BigInt(index + 1), 'binary'),
  ]),
])

function scale(nanos: bigint, format: Quantity['format'], shift = 0): Scale {
  return {
    nanos,
    smallNanos: nanos <= Number.MAX_SAFE_INTEGER ? Number(nanos) : Number.POSITIVE_INFINITY,
    shift,
    format,
  }
}

function decimalScale(exponent: number, format: Quantity['format']): Scale {
  return scale(10n ** BigInt(Math.max(0, exponent + 9)), format, Math.max(0, -exponent - 9))
}

/** Of the suffix that begins there. */
function scaleOf(text: string, start: number): Scale | undefined {
  const suffix = text.slice(start)
  const known = SCALES.get(suffix)
  if (known !== undefined) return known
  const exponent = /^[eE]([+-]?\d{1,3})$/.exec(suffix)?.[1]
  return exponent === undefined ? undefined : decimalScale(Number(exponent), 'exponent')
}
