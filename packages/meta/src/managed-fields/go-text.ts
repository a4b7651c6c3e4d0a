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

/** `%#v` of decoded JSON. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuoted(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value !== 'object') return goValue(value)
  const names = Object.keys(value)
  sortTexts(names)
  const fields = names.map((name) => `${goQuoted(name)}:${goSyntax((value as Record<string, unknown>)[name])}`)
  return `map[string]interface {}{${fields.join(', ')}}`
}

/** `%T` of decoded JSON. */
export function goType(value: unknown): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int64'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** Integers in digits, everything else as a float. */
function goNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : goFloat(value)
}

/** A float64 by `%v`: with an exponent of two digits or more when it has more than six digits before the point. */
export function goFloat(value: number): string {
  const [digits = '0', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}
