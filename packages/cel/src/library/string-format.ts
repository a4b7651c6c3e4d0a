// `'%s is %d'.format([a, b])`: the clauses %s %d %f %e %b %o %x %X and %%.

import { typeNameOf } from '../values/type-of-value.ts'
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  Failure,
  type Value,
} from '../values/value.ts'
import { textOf } from './conversions.ts'

export type NumberStyle = 'grouped' | 'plain'

/** More digits than a double has; Go has no limit, a text must have one. */
const mostDigits = 100

export function formatText(template: string, args: CelList, style: NumberStyle): Value {
  let used = 0
  let text = ''
  for (let at = 0; ; ) {
    const mark = template.indexOf('%', at)
    if (mark < 0) return text + template.slice(at)
    text += template.slice(at, mark)
    at = mark + 1
    if (template[at] === '%') {
      text += '%'
      at++
      continue
    }
    const end = precisionEnd(template, at)
    const kind = template[end] ?? ''
    if (!isLetter(kind)) return new Failure('could not parse formatting clause: unrecognized formatting clause')
    if (used >= args.size) return new Failure(`index ${used} out of range`)
    const digits = end - at < 2 ? 6 : Number(template.slice(at + 1, end))
    const made = formatted(args.get(used++), kind, digits, style)
    if (typeof made !== 'string') return made
    text += made
    at = end + 1
  }
}

/** Of `.2`, if it is there. */
function precisionEnd(template: string, start: number): number {
  if (template[start] !== '.') return start
  let at = start + 1
  for (let code = template.charCodeAt(at); code >= 48 && code <= 57; code = template.charCodeAt(at)) at++
  return at
}

function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
}

function formatted(value: Value, kind: string, digits: number, style: NumberStyle): string | Failure {
  if (value instanceof Failure) return value
  if (digits > mostDigits) return new Failure(`precision ${digits} is more than ${mostDigits}`)
  switch (kind) {
    case 's':
      return plainText(value, style)
    case 'd':
      return decimal(value, style)
    case 'f':
      return doubleText(
        value,
        (number) => fixed(number, digits),
        'fixed-point clause can only be used on doubles',
        style,
      )
    case 'e':
      return doubleText(
        value,
        (number) => number.toExponential(digits),
        'scientific clause can only be used on doubles',
        style,
      )
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : radix(value, 2, 'binary', 'integers and bools')
    case 'o':
      return radix(value, 8, 'octal', 'integers')
    case 'x':
    case 'X':
      return hexadecimal(value, kind === 'X')
    default:
      return new Failure(`could not parse formatting clause: unrecognized formatting clause "${kind}"`)
  }
}

/** Rounds halves to even, as Go does. */
function fixed(value: number, digits: number): string {
  const scale = 10 ** digits
  const scaled = value * scale
  if (Math.abs(scaled % 1) !== 0.5 || scaled / scale !== value) return value.toFixed(digits)
  return ((2 * Math.round(scaled / 2)) / scale).toFixed(digits)
}

function wrongType(what: string, value: Value): Failure {
  return new Failure(`error during formatting: ${what}, was given ${typeNameOf(value)}`)
}

function plainText(value: Value, style: NumberStyle): string | Failure {
  if (typeof value === 'string') return value
  if (value === null) return 'null'
  if (value instanceof CelList) return listText(value, style)
  if (value instanceof CelMap) return mapText(value, style)
  if (value instanceof CelTypeValue) return value.name
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (style === 'plain' && value instanceof CelDouble) return plainDouble(value.value)
  return (
    textOf(value) ??
    wrongType(
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
      value,
    )
  )
}

function plainDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? String(value) : value > 0 ? 'Infinity' : '-Infinity'
}

function listText(list: CelList, style: NumberStyle): string | Failure {
  const texts: string[] = []
  for (let index = 0; index < list.size; index++) {
    const text = innerText(list.get(index), style)
    if (text instanceof Failure) return text
    texts.push(text)
  }
  return `[${texts.join(', ')}]`
}

function mapText(map: CelMap, style: NumberStyle): string | Failure {
  const entries: string[] = []
  for (const key of map.keys()) {
    const left = innerText(key, style)
    const right = innerText(map.get(key) as Value, style)
    if (left instanceof Failure) return left
    if (right instanceof Failure) return right
    entries.push(style === 'grouped' ? `${left}:${right}` : `${left}: ${right}`)
  }
  return `{${entries.sort().join(', ')}}`
}

/** Inside a list or map, values look as CEL writes them; with the plain style, as %s does. */
function innerText(value: Value, style: NumberStyle): string | Failure {
  if (style === 'plain') return plainText(value, style)
  if (typeof value === 'string') return goQuote(value)
  if (value instanceof Uint8Array) return `b${goQuote(new TextDecoder().decode(value))}`
  if (value instanceof CelTimestamp) return `timestamp("${textOf(value)}")`
  if (value instanceof CelDuration) return `duration("${textOf(value)}")`
  if (value instanceof CelDouble) return Number.isFinite(value.value) ? value.value.toFixed(6) : `"${value.value}"`
  return plainText(value, style)
}

function goQuote(text: string): string {
  const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return `"${text.replace(/[\x00-\x1f"\\\x7f]/g, (found) => named[found] ?? `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`
}

function decimal(value: Value, style: NumberStyle): string | Failure {
  if (style === 'plain' && value instanceof CelDouble && !Number.isFinite(value.value)) return plainDouble(value.value)
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof CelUint) return textOf(value) as string
  return wrongType('decimal clause can only be used on integers', value)
}

function doubleText(
  value: Value,
  write: (number: number) => string,
  complaint: string,
  style: NumberStyle,
): string | Failure {
  const number = value instanceof CelDouble ? value.value : style === 'plain' ? wholeOf(value) : namedNumber(value)
  if (number === undefined) return wrongType(complaint, value)
  if (!Number.isFinite(number))
    return style === 'grouped' ? (Number.isNaN(number) ? 'NaN' : number > 0 ? '∞' : '-∞') : plainDouble(number)
  const text = write(number)
  if (style === 'plain') return text.replace(/e([+-])(\d)$/, 'e$10$2')
  return text.includes('e') ? superscripted(number.toExponential(6)).padStart(digitsOf(text)) : grouped(text)
}

function wholeOf(value: Value): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return value instanceof CelUint ? Number(value.value) : undefined
}

function namedNumber(value: Value): number | undefined {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined
}

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}

/** Kubernetes takes the precision of %e for a width. */
function digitsOf(text: string): number {
  return /\.(\d*)e/.exec(text)?.[1]?.length ?? 0
}

function superscripted(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e')
  const sign = exponent.startsWith('-') ? '⁻' : ''
  const digits = exponent.slice(1).padStart(2, '0')
  return `${mantissa}×10${sign}${[...digits].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`
}

function radix(value: Value, base: number, name: string, types: string): string | Failure {
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString(base)
  if (value instanceof CelUint) return value.value.toString(base)
  return wrongType(`${name} clause can only be used on ${types}`, value)
}

function hexadecimal(value: Value, isUpper: boolean): string | Failure {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  const text =
    bytes instanceof Uint8Array
      ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      : radix(value, 16, 'hex', 'integers, byte buffers, and strings')
  return typeof text === 'string' && isUpper ? text.toUpperCase() : text
}
