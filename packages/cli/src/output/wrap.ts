// Wraps the lines of a help text at words, so that it fits a terminal. A description continues in its own column.

/** If a description has less room than this, it goes below the term. */
const LEAST = 24
const INDENT = 6

/** Without a width (not a terminal) the text stays as it is. */
export function wrapText(text: string, width: number | undefined): string {
  if (width === undefined) return text
  return text
    .split('\n')
    .flatMap((line) => (line.length > width ? wrapLine(line, width) : line))
    .join('\n')
}

function wrapLine(line: string, width: number): string[] {
  const term = /^ *(?:\S+(?: \S+)* {2,})?/.exec(line)?.[0] ?? ''
  const words = line.slice(term.length).split(' ')
  if (width - term.length >= LEAST) return fill(term, words, width, term.length)
  const below = fill(' '.repeat(INDENT), words, width, INDENT)
  return term.trim() === '' ? below : [term.trimEnd(), ...below]
}

/** A word that is longer than a line stays whole. */
function fill(start: string, words: readonly string[], width: number, indent: number): string[] {
  const lines: string[] = []
  let line = start
  for (const word of words) {
    const next = line.length === indent ? line + word : `${line} ${word}`
    if (next.length > width && line.length > indent) {
      lines.push(line)
      line = ' '.repeat(indent) + word
    } else line = next
  }
  return [...lines, line]
}
