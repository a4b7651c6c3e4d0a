// CEL's extension for strings. Places are counted in code points.

import { define, type FunctionDeclaration, global, type Library, member } from '../functions/declaration.ts'
import { type CelType, dynType, intType, listOf, stringType } from '../types/cel-type.ts'
import { itemsOf, ValueList } from '../values/lists.ts'
import { codePointsOf } from '../values/size-of.ts'
import { type CelList, Failure, type Value } from '../values/value.ts'
import { formatText } from './string-format.ts'

type Place = number | bigint

const outOfRange = (place: Place) => new Failure(`index out of range: ${place}`)

/** The code unit at which a code point begins; -1 beyond the end, whose own place is the length. */
function unitAt(text: string, place: Place): number {
  const wanted = Number(place)
  if (wanted > text.length) return -1
  let unit = 0
  for (let count = 0; count < wanted; count++) {
    if (unit >= text.length) return -1
    const isHigh = (text.charCodeAt(unit) & 0xfc00) === 0xd800
    unit += isHigh && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00 ? 2 : 1
  }
  return unit
}

function charAt(text: string, place: Place): Value {
  const unit = place < 0 ? -1 : unitAt(text, place)
  if (unit < 0) return outOfRange(place)
  return unit === text.length ? '' : String.fromCodePoint(text.codePointAt(unit) as number)
}

function indexOf(text: string, part: string, from: Place = 0): Value {
  if (part === '') return from
  if (from < 0) return outOfRange(from)
  const start = unitAt(text, from)
  const found = start < 0 ? -1 : text.indexOf(part, start)
  return found < 0 ? -1 : codePointsOf(text.slice(0, found))
}

function lastIndexOf(text: string, part: string, from?: Place): Value {
  if (part === '') return from ?? codePointsOf(text)
  if (from !== undefined && from < 0) return outOfRange(from)
  const end = from === undefined ? text.length : unitAt(text, from)
  // From the end on there is nothing, from before it there may be.
  if (end < 0 || (from !== undefined && end === text.length)) return -1
  const found = text.lastIndexOf(part, end)
  return found < 0 ? -1 : codePointsOf(text.slice(0, found))
}

function join(list: CelList, separator = ''): Value {
  const items = itemsOf(list)
  const wrong = items.find((item) => typeof item !== 'string')
  return wrong === undefined ? items.join(separator) : new Failure(`join: invalid input: ${String(wrong)}`)
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

function replace(text: string, from: string, to: string, most: Place = -1): string {
  if (most < 0) return from === '' ? between(text, to, Number.POSITIVE_INFINITY) : text.replaceAll(from, () => to)
  if (from === '') return between(text, to, Number(most))
  const parts = text.split(from)
  const count = Math.min(Number(most), parts.length - 1)
  return [...parts.slice(0, count).map((part) => part + to), parts.slice(count).join(from)].join('')
}

/** The text before each character and at the end. */
function between(text: string, inserted: string, most: number): string {
  const characters = ['', ...text]
  return [...characters.slice(0, most).map((character) => character + inserted), ...characters.slice(most)].join('')
}

function split(text: string, separator: string, most: Place = -1): Value {
  if (most === 0) return new ValueList([])
  const parts = separator === '' ? [...text] : text.split(separator)
  if (most < 0 || parts.length <= most) return new ValueList(parts)
  const kept = Number(most) - 1
  return new ValueList([...parts.slice(0, kept), parts.slice(kept).join(separator)])
}

function substring(text: string, from: Place, to?: Place): Value {
  if (to !== undefined && from > to) return new Failure(`invalid substring range. start: ${from}, end: ${to}`)
  const start = from < 0 ? -1 : unitAt(text, from)
  if (start < 0) return outOfRange(from)
  if (to === undefined) return text.slice(start)
  const end = unitAt(text, to)
  return end < 0 ? outOfRange(to) : text.slice(start, end)
}

/** A regular expression for the end would look at each run of white space inside, once for each of its characters. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Go's white space, which has U+0085 besides JavaScript's and lacks U+FEFF. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13)
  if (code < 0x1680) return code === 0x85 || code === 0xa0
  if (code >= 0x2000 && code <= 0x200a) return true
  return code === 0x1680 || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  return `"${text.toWellFormed().replace(/[\x07\b\f\n\r\t\v\\"]/g, (found) => escapes[found] as string)}"`
}

const s = stringType
const i = intType

function method(
  name: string,
  call: (...args: never[]) => Value,
  ...signatures: readonly (readonly [string, readonly CelType[], CelType])[]
) {
  return define(name, ...signatures.map(([id, params, result]) => member(id, params, result, call)))
}

const functions: readonly FunctionDeclaration[] = [
  method('charAt', charAt, ['string_char_at_int', [s, i], s]),
  method('indexOf', indexOf, ['string_index_of_string', [s, s], i], ['string_index_of_string_int', [s, s, i], i]),
  method(
    'lastIndexOf',
    lastIndexOf,
    ['string_last_index_of_string', [s, s], i],
    ['string_last_index_of_string_int', [s, s, i], i],
  ),
  method('lowerAscii', lowerAscii, ['string_lower_ascii', [s], s]),
  method('upperAscii', upperAscii, ['string_upper_ascii', [s], s]),
  method(
    'replace',
    replace,
    ['string_replace_string_string', [s, s, s], s],
    ['string_replace_string_string_int', [s, s, s, i], s],
  ),
  method('split', split, ['string_split_string', [s, s], listOf(s)], ['string_split_string_int', [s, s, i], listOf(s)]),
  method('substring', substring, ['string_substring_int', [s, i], s], ['string_substring_int_int', [s, i, i], s]),
  method('trim', trim, ['string_trim', [s], s]),
  method('join', join, ['list_join', [listOf(s)], s], ['list_join_string', [listOf(s), s], s]),
  define('strings.quote', global('strings_quote', [s], s, quote)),
]

/** As Kubernetes has it: numbers with grouped digits and written exponents. */
export const stringsLibrary: Library = {
  functions: [...functions, formatOf('grouped')],
}

/** The newest version of CEL's extension. */
export const newestStringsLibrary: Library = {
  functions: [
    ...functions,
    formatOf('plain'),
    method('reverse', (text: string) => [...text].reverse().join(''), ['string_reverse', [s], s]),
  ],
}

function formatOf(style: 'grouped' | 'plain'): FunctionDeclaration {
  const call = (template: string, args: CelList) => formatText(template, args, style)
  return method('format', call, ['string_format', [s, listOf(dynType)], s])
}
