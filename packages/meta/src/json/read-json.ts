// Reads the JSON of a request. JSON.parse is trusted when writing its answer again gives the very same text: then
// there was no duplicate key, no number it would bend and nothing odd. Everything else goes to our own reader.

import { type JsonRead, MAX_DEPTH, readJsonSlowly } from './json-reader.ts'
import type { JsonValue } from './json-value.ts'

/** Throws JsonError with the offset. Nesting is limited, and a key `__proto__` is refused. */
export function readJson(text: string): JsonRead {
  if (!mayBeOdd(text) && !isHugeAndDeep(text)) {
    try {
      const value = JSON.parse(text) as JsonValue
      // Go's encoder ends every document with a newline.
      const document = text.endsWith('\n') ? text.slice(0, -1) : text
      if (JSON.stringify(value) === document && isShallow(text, value)) return { value, duplicates: [] }
    } catch {
      // Not JSON, or too deep to write: the reader below says which, and where.
    }
  }
  return readJsonSlowly(text)
}

// Texts that JSON.parse and JSON.stringify would pass through unchanged although we treat them differently:
// integers beyond 2^53 have 16 digits or more; a lone surrogate is written as an escape again.
const LONG_INTEGER = /[0-9]{16}/

function mayBeOdd(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\ud') || LONG_INTEGER.test(text)
}

/** Only a huge text can hold so much nesting that JSON.parse takes long over it; brackets in strings do not count. */
function isHugeAndDeep(text: string): boolean {
  if (text.length < HUGE) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      // To the closing quote: one with an even number of backslashes before it.
      do at = text.indexOf('"', at + 1)
      while (at > 0 && isEscaped(text, at))
      if (at < 0) return false
    } else if (code === BRACKET || code === BRACE) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--
  }
  return false
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

const HUGE = 128 << 10
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const BRACE = 0x7b

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
