// Values as Go prints them in messages that clients show or parse: `%q`, `%v`, `%T`.

import { sortTexts } from './text-order.ts'

const SHORT: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** `%q` */
export function goQuoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are written as escapes
  const quoted = text.replace(/["\\\u0000-\u001f\u007f-\u00a0\u00ad\u2028\u2029\ufeff]/g, (one) => {
    const code = one.charCodeAt(0)
    return SHORT[one] ?? (code < 0x80 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)
  })
  return `"${quoted}"`
}

/** `%v` */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'number') return goNumber(value)
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (typeof value !== 'object') return String(value)
  const names = Object.keys(value)
  sortTexts(names)
  return `map[${names.map((name) => `${name}:${goValue((value as Record<string, unknown>)[name])}`).join(' ')}]`
}

/** `%T` of decoded JSON. */
export function goType(value: unknown): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int64'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** Integers in digits; floats as `%g`: shortest, with an exponent of two digits when very large or small. */
function goNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const [digits = '0', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21) return String(value)
  const size = String(Math.abs(power)).padStart(2, '0')
  return `${digits}e${power < 0 ? '-' : '+'}${size}`
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}
