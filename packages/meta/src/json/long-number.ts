// Tells whether a text may hold an integer that JSON.parse would round. Both readers check it before they use JSON.parse.

/** Integers beyond 2^53 have so many digits or more. */
const DIGITS = 16
const LONG_TEXT = 3 << 10

/** Any run of digits counts, also within strings. Looks at every 16th character: a long run cannot be missed by that. */
export function hasLongNumber(text: string): boolean {
  return text.length < LONG_TEXT ? hasBetween(text, DIGITS - 1, text.length) : hasInLongText(text)
}

/**
 * Four characters in each turn of the loop. V8 counts turns: with one it would load its optimizing compiler for the definitions that a
 * start reads, for 5 MiB (bench row "resident memory, idle").
 */
function hasInLongText(text: string): boolean {
  let at = DIGITS - 1
  for (; at + 3 * DIGITS < text.length; at += 4 * DIGITS) {
    const isAny =
      isDigit(text, at) ||
      isDigit(text, at + DIGITS) ||
      isDigit(text, at + 2 * DIGITS) ||
      isDigit(text, at + 3 * DIGITS)
    if (isAny && hasBetween(text, at, at + 4 * DIGITS)) return true
  }
  return hasBetween(text, at, text.length)
}

function hasBetween(text: string, first: number, end: number): boolean {
  for (let at = first; at < end; at += DIGITS) if (isDigit(text, at) && isLongRun(text, at)) return true
  return false
}

function isLongRun(text: string, at: number): boolean {
  let start = at
  while (start > 0 && isDigit(text, start - 1)) start--
  let end = at + 1
  while (end < text.length && end - start < DIGITS && isDigit(text, end)) end++
  return end - start >= DIGITS
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}
