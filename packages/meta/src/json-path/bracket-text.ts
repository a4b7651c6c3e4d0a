// Splits the text between the brackets of a JSON path. Delimiters inside quotes, brackets and parentheses do not count.

/** The index of the bracket that closes the one at `start`. */
export function balancedEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"' || character === "'") at = quoteEnd(text, at)
    else if (character === '\\') at++
    else if ('[('.includes(character)) depth++
    else if (')]'.includes(character) && --depth === 0) return at
  }
  throw new Error(`unterminated bracket in the JSON path ${JSON.stringify(text)}`)
}

export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"' || character === "'") at = quoteEnd(text, at)
    else if (character === '\\') at++
    else if ('[('.includes(character)) depth++
    else if (')]'.includes(character)) depth--
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at))
      start = at + separator.length
      at = start - 1
    }
  }
  return [...parts, text.slice(start)]
}

function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
  }
  throw new Error(`unterminated quote in the JSON path ${JSON.stringify(text)}`)
}
