// The text of an expression by code points: places are counted in them, as CEL does.

export interface Source {
  readonly text: string
  readonly lines: readonly string[]
}

export function sourceOf(text: string): Source {
  return { text, lines: text.split('\n') }
}

/** Line and column, from 1, of an offset in UTF-16 units; columns are code points. */
export function placeOf(source: Source, offset: number): { line: number; column: number } {
  let start = 0
  for (let line = 0; line < source.lines.length; line++) {
    const content = source.lines[line] as string
    if (offset <= start + content.length)
      return { line: line + 1, column: codePoints(content.slice(0, offset - start)) + 1 }
    start += content.length + 1
  }
  return { line: source.lines.length, column: 1 }
}

function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return count
}
