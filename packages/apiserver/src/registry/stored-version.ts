// The version that an object is stored in, read from its bytes without parsing them. Objects of a definition with a
// conversion webhook may be stored in several.

import type { Stored } from '../cache/cached-object.ts'

/** How `encodeObject` begins every object. */
const START = '{"apiVersion":"'

/** `group/version`. */
export function storedVersionOf({ bytes }: Pick<Stored, 'bytes'>): string {
  return bytes.toString('latin1', START.length, bytes.indexOf(QUOTE, START.length))
}

const QUOTE = 0x22
