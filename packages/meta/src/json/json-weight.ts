// The number of values in a JSON text, counted without parsing it. A server spends time on each value of an object, however
// short it is, so it limits their number as it limits bytes.

/** 30,000 keys or 90,000 items of lists: more than any object people wrote, and read in some 30 ms. */
export const MAX_JSON_WEIGHT = 90_000

/** Lower for apply, which stores every field a second time with its owner. */
export const MAX_APPLIED_WEIGHT = 45_000

/** A body within the limit of bytes that holds too many values. */
export class JsonWeightError extends Error {
  constructor(limit = MAX_JSON_WEIGHT) {
    super(`it holds more than ${limit / 3} keys or ${limit} list items`)
    this.name = 'JsonWeightError'
  }
}

export interface JsonMeasure {
  /** An item of a list counts 1, a key 3, a list or an object 1 more. */
  readonly weight: number
  readonly depth: number
}

/** A text of so few characters cannot exceed the limit, so it is not weighed. */
export function isLight(length: number): boolean {
  return length < MAX_JSON_WEIGHT
}

/** Reads the structure only, and stops at a string without an end. For a text that is not JSON the weight is arbitrary. */
export function measureJson(text: string): JsonMeasure {
  let weight = 0
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at)
        if (end < 0) return { weight, depth: deepest }
        at = end
        break
      }
      case 0x2c:
        weight++
        break
      case 0x3a:
        weight += 2
        break
      case 0x5b:
      case 0x7b:
        weight++
        depth++
        if (depth > deepest) deepest = depth
        break
      case 0x5d:
      case 0x7d:
        depth--
    }
  }
  return { weight, depth: deepest }
}

/** The closing quote is one with an even number of backslashes before it. -1 when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

/** The same of encoded bytes that are known to be JSON. */
export function weighJson(bytes: Uint8Array): number {
  let weight = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at]
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c || code === 0x5b || code === 0x7b) weight++
    else if (code === 0x3a) weight += 2
  }
  return weight
}
