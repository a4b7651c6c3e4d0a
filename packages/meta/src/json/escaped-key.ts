// Tells whether a key of a JSON text is written with an escape. V8 of Node 24 may take such a key for another one that it
// has met before: after `{"\\\"":1}`, JSON.parse reads `{"\"o":1}` as the same. Readers
// that cannot verify the result call this before they trust it.

const BACKSLASH = 0x5c
const COLON = 0x3a
const QUOTE = 0x22
const SPACE = 0x20

/** Looks at each string with an escape once, and at what follows it. */
export function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; ) {
    let end = at
    while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
    end++
    while (text.charCodeAt(end) <= SPACE) end++
    if (text.charCodeAt(end) === COLON) return true
    at = text.indexOf('\\', end)
  }
  return false
}
