// Reads the JSON of a request. It trusts JSON.parse if the result has as many keys as the text, or if writing the result
// gives the same text again: then the text has no duplicate key and no number that JSON.parse rounds. For every other text
// it uses our own reader.

import { type JsonRead, MAX_DEPTH, readJsonSlowly } from './json-reader.ts'
import type { JsonValue } from './json-value.ts'
import { isLight, JsonWeightError, MAX_JSON_WEIGHT, measureJson } from './json-weight.ts'
import { hasLongNumber } from './long-number.ts'

/** Throws JsonError with the offset. Nesting is limited, and a key `__proto__` is refused. */
export function readJson(text: string): JsonRead {
  return isLight(text.length) ? readPlain(text) : readLarge(text, Number.POSITIVE_INFINITY)
}

/** The same for a text from a client: throws JsonWeightError if it holds too many values. */
export function readSentJson(text: string, limit = MAX_JSON_WEIGHT): JsonRead {
  // No text of fewer characters can weigh too much.
  return text.length < limit ? readPlain(text) : readLarge(text, limit)
}

/** Above this size our own reader is as fast as JSON.parse, writing the result and comparing. */
function readLarge(text: string, limit: number): JsonRead {
  const { weight, depth } = measureJson(text)
  // What is too deep is refused at the place where it is.
  if (weight > limit && depth <= MAX_DEPTH) throw new JsonWeightError(limit)
  return readJsonSlowly(text)
}

function readPlain(text: string): JsonRead {
  if (!mayBeOdd(text)) {
    try {
      const value = JSON.parse(text) as JsonValue
      if ((hasEveryKey(text, value) || isSameAgain(text, value)) && isShallow(text, value))
        return { value, duplicates: [] }
    } catch {
      // Not JSON, or too deep to write: the reader below says which, and where.
    }
  }
  return readJsonSlowly(text)
}

/**
 * Whether every key of the text is in the value, so that none was there twice. Without escapes a quote and a colon
 * stand together where a key ends, or where a text begins with a colon; then it is not known.
 */
function hasEveryKey(text: string, value: JsonValue): boolean {
  if (text.includes('\\') || !text.isWellFormed()) return false
  // A key that is not counted would hide one that occurs twice.
  for (const spaced of SPACED_COLONS) if (text.includes(spaced)) return false
  const keys = countKeys(value)
  if (Number.isNaN(keys)) return false
  let found = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (text.charCodeAt(at - 1) === QUOTE) found++
  }
  return found === keys
}

const QUOTE = 0x22
const SPACED_COLONS = [' :', '\n:', '\r:', '\t:']

/** NaN when there is a number that our own reader would refuse, or read in another way. */
function countKeys(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countKeys(item)
  else {
    for (const key in value) {
      const child = value[key]
      count += child === undefined ? 1 : 1 + countKeys(child)
    }
  }
  return count
}

function isSameAgain(text: string, value: JsonValue): boolean {
  // Go's encoder ends every document with a newline.
  return JSON.stringify(value) === (text.endsWith('\n') ? text.slice(0, -1) : text)
}

// Texts that JSON.parse and JSON.stringify would pass through unchanged although we treat them differently: a lone
// surrogate is written as an escape again.
function mayBeOdd(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\ud') || hasLongNumber(text)
}

/** Counts opening brackets first: a text with few of them cannot be deep, and nearly all have few. */
function isShallow(text: string, value: JsonValue): boolean {
  if (text.length <= 2 * MAX_DEPTH) return true
  let brackets = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > MAX_DEPTH) return fits(value, MAX_DEPTH)
    }
  }
  return true
}

function fits(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const child of Array.isArray(value) ? value : Object.values(value)) if (!fits(child, depth - 1)) return false
  return true
}
