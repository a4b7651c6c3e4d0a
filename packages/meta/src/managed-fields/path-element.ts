// The elements of field paths as texts: how they are made from list items, ordered, read back and shown to people.
// Equal elements must have equal texts, so numbers and strings are written exactly as Kubernetes writes them.

import { isObject } from '../json/is-object.ts'
import type { JsonValue } from '../json/json-value.ts'
import { readJson } from '../json/read-json.ts'
import { writeJson } from '../json/write-json.ts'
import { goFloat, goQuoted, goValue } from './go-text.ts'
import { compareTexts, isSortedByUnits, sortTexts } from './text-order.ts'

/** `v:"a"`, an item of a set. */
export function valueElement(value: JsonValue): string {
  return `v:${scalarText(value)}`
}

/** `k:{"name":"a"}`, an item of a list with keys. The pairs are sorted by name. */
export function keyElement(pairs: readonly KeyPair[]): string {
  let text = ''
  for (const { name, value } of pairs) {
    if (text !== '') text += ','
    text += `${JSON.stringify(name)}:${scalarText(value)}`
  }
  return `k:{${text}}`
}

export interface KeyPair {
  readonly name: string
  readonly value: JsonValue
}

/** The names and values of `k:{...}`, sorted by name; none when it cannot be read. */
export function keyPairs(element: string): KeyPair[] {
  const value = readElement(element)
  return isObject(value) ? pairsOf(value) : []
}

/** Sorts as Kubernetes does: fields, then keys, values and indices, each by what they mean. */
export function sortElements(elements: string[]): void {
  if (elements.length < 2 || isSortedFields(elements)) return
  if (elements.every(isField)) {
    sortTexts(elements)
    return
  }
  if (sortAlike(elements)) return
  const read = elements.map((text) => {
    const rank = rankOf(text)
    const value = rank === FIELDS ? undefined : readElement(text)
    return { text, rank, value, pairs: rank === KEYS && value !== undefined && isObject(value) ? pairsOf(value) : NONE }
  })
  read.sort((a, b) => {
    if (a.rank !== b.rank) return a.rank - b.rank
    if (a.value === undefined || b.value === undefined) return compareTexts(a.text, b.text)
    return a.rank === KEYS ? comparePairs(a.pairs, b.pairs) : compareValues(a.value, b.value)
  })
  for (const [index, { text }] of read.entries()) elements[index] = text
}

/** Items of one list mostly differ in one plain text or number: then nothing needs to be read back. */
function sortAlike(elements: string[]): boolean {
  const [first = ''] = elements
  const match = ALIKE.exec(first)
  if (match === null) return false
  const [, head = '', text] = match
  const values: { element: string; value: string | number }[] = []
  for (const element of elements) {
    const found = ALIKE.exec(element)
    if (found === null || found[1] !== head || (found[2] === undefined) !== (text === undefined)) return false
    values.push({ element, value: found[2] ?? Number(found[3]) })
  }
  values.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  for (const [index, { element }] of values.entries()) elements[index] = element
  return true
}

/**
 * The one text of an element that somebody else may have written differently; undefined for kinds of elements that
 * nobody knows. Throws when it cannot be read.
 */
export function normalElement(element: string): string | undefined {
  if (element.length < 2) throw new Error('key must be 2 characters long:')
  if (element[1] !== ':') throw new Error(`missing colon: ${element}`)
  switch (element[0]) {
    case 'f':
      return element
    case 'k': {
      if (ALIKE.test(element)) return element
      const value = readElement(element)
      if (!isObject(value)) throw new Error(`expected an object in ${element}`)
      return keyElement(pairsOf(value))
    }
    case 'v':
      if (ALIKE.test(element)) return element
      return valueElement(readElement(element))
    case 'i': {
      if (!/^i:[+-]?[0-9]{1,18}$/.test(element)) throw new Error(`expected a number in ${element}`)
      return `i:${Number(element.slice(2))}`
    }
    default:
      return undefined
  }
}

/**
 * As people read it: `.spec`, `[name="a"]`, `[="a"]`, `[3]`. Numbers that were read from a set are floats to
 * Kubernetes, and shown so.
 */
export function shownElement(element: string, from: 'set' | 'value'): string {
  if (isField(element)) return `.${element.slice(2)}`
  const value = readElement(element)
  if (element[0] === 'i') return `[${element.slice(2)}]`
  if (element[0] === 'v' || !isObject(value)) return `[=${shownValue(value, from)}]`
  return `[${pairsOf(value)
    .map(({ name, value }) => `${name}=${shownValue(value, from)}`)
    .join(',')}]`
}

function shownValue(value: JsonValue, from: 'set' | 'value'): string {
  if (value === null) return 'null'
  if (from === 'set' && (typeof value === 'number' || typeof value === 'bigint')) return goFloat(Number(value))
  return typeof value === 'string' ? goQuoted(value) : goValue(value)
}

const FIELDS = 0
const KEYS = 1
const VALUES = 2
const INDICES = 3
const NONE: readonly KeyPair[] = []
const LONG_INTEGER = /[0-9]{16}/
/** A value or a single key with a text that needs no escape, or an integer: head, text, integer. */
const ALIKE = /^(v:|k:\{"[a-zA-Z0-9_-]*":)(?:"([ !#-%'-;=?-[\]-~]*)"|(0|-?[1-9][0-9]{0,14}))\}?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are written as escapes
const ESCAPED = /["\\\u0000-\u001f<>&\u2028\u2029]/
const ALL_ESCAPED = new RegExp(ESCAPED, 'g')
const SHORT_ESCAPES: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function isField(element: string): boolean {
  return element.charCodeAt(0) === 0x66
}

function rankOf(element: string): number {
  if (isField(element)) return FIELDS
  return element[0] === 'k' ? KEYS : element[0] === 'v' ? VALUES : INDICES
}

function isSortedFields(elements: readonly string[]): boolean {
  let previous = ''
  for (const element of elements) {
    if (!isField(element) || element < previous || !isSortedByUnits(element)) return false
    previous = element
  }
  return true
}

function readElement(element: string): JsonValue {
  const text = element.slice(2)
  return LONG_INTEGER.test(text) ? readJson(text).value : JSON.parse(text)
}

function pairsOf(value: { [key: string]: JsonValue }): KeyPair[] {
  const names = Object.keys(value)
  if (names.length > 1) sortTexts(names)
  return names.map((name) => ({ name, value: value[name] ?? null }))
}

function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return escaped(value)
  // Exponents have two digits there.
  return typeof value === 'number' ? String(value).replace(/e([+-])(\d)$/, 'e$10$2') : writeJson(value)
}

/** As Go's encoder writes strings, which does not trust HTML. */
function escaped(text: string): string {
  if (!ESCAPED.test(text)) return `"${text}"`
  return `"${text.replace(ALL_ESCAPED, (one) => SHORT_ESCAPES[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

function comparePairs(mine: readonly KeyPair[], other: readonly KeyPair[]): number {
  let index = 0
  for (const { name, value } of mine) {
    const match = other[index++]
    if (match === undefined) return 1
    const order = (name === match.name ? 0 : compareTexts(name, match.name)) || compareValues(value, match.value)
    if (order !== 0) return order
  }
  return mine.length - other.length
}

function compareValues(a: JsonValue, b: JsonValue): number {
  const [one, other] = [kindOf(a), kindOf(b)]
  if (one !== other) return one - other
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const [index, item] of a.entries()) {
      if (index >= b.length) return 1
      const order = compareValues(item, b[index] ?? null)
      if (order !== 0) return order
    }
    return a.length - b.length
  }
  if (isObject(a) && isObject(b)) return comparePairs(pairsOf(a), pairsOf(b))
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

function kindOf(value: JsonValue): number {
  if (value === null) return 5
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (typeof value !== 'object') return 0
  return Array.isArray(value) ? 3 : 4
}
