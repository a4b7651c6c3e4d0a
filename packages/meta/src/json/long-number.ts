// Tells whether a text may hold an integer that JSON.parse would round. Both readers check it before they use JSON.parse.

/** Integers beyond 2^53 have so many digits or more. */
const DIGITS = 16

/** Any run of digits counts, also within strings. Looks at every 16th character: a long run cannot be missed by that. */
export function hasLongNumber(text: string): boolean {
  for (let at = DIGITS - 1; at < text.length; at += DIGITS) {
    if (!isDigit(text, at)) continue
    let start = at
    while (start > 0 && isDigit(text, start - 1)) start--
    let end = at + 1
    while (end < text.length && end - start < DIGITS && isDigit(text, end)) end++
    if (end - start >= DIGITS) return true
  }
  return false
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
