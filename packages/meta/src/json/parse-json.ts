// Reads JSON that another part of the system wrote, as JSON.parse does but without its two errors: it rounds an integer of 16
// or more digits, and it mixes up keys with escapes. Texts with either take our own reader.

import { hasEscapedKey } from './escaped-key.ts'
import { hasLongNumber } from './long-number.ts'
import { readJson } from './read-json.ts'

/** An integer beyond 2^53 that fits int64 is a bigint. */
export function parseJson(text: string): unknown {
  return hasLongNumber(text) || hasEscapedKey(text) ? readJson(text).value : JSON.parse(text)
}
