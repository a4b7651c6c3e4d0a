// Aligned columns. On a terminal a table fits its width: the widest column is cut, with an ellipsis. Elsewhere nothing
// is ever cut, since a program may read it.

import type { Paint, Tone } from './style.ts'

export interface Column<T> {
  readonly header: string
  /** An empty text is shown as a dash. */
  text(item: T): string
  tone?(text: string): Tone | undefined
  /** Only in wide tables. */
  readonly wide?: true
}

export interface Table<T> {
  head(): string
  row(item: T): string
}

const GAP = 3
const NARROWEST = 6

/** The columns are as wide as these items need; a longer text that comes later moves its own row only. */
export function tableOf<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { width, paint }: { readonly width: number | undefined; readonly paint: Paint },
): Table<T> {
  const wanted = columns.map(({ header, text }) =>
    Math.max(...[header, ...items.map((item) => shown(text(item)))].map(lengthOf)),
  )
  const widths = width === undefined ? wanted : fitted(wanted, width)
  const line = (texts: readonly string[], tones: readonly (Tone | undefined)[]) =>
    texts
      .map((text, at) => {
        const room = widths[at] ?? 0
        const cut = width === undefined ? text : shortened(text, room)
        const padding = at === texts.length - 1 ? '' : ' '.repeat(Math.max(0, room - lengthOf(cut)) + GAP)
        return paint(tones[at], cut) + padding
      })
      .join('')
  return {
    head: () =>
      line(
        columns.map(({ header }) => header),
        [],
      ),
    row(item) {
      const texts = columns.map(({ text }) => shown(text(item)))
      return line(
        texts,
        columns.map(({ tone }, at) => tone?.(texts[at] ?? '')),
      )
    },
  }
}

/** All columns are cut to one width: the greatest with which they fit, or the narrowest that makes sense. */
export function fitted(wanted: readonly number[], width: number): number[] {
  const cutTo = (most: number) => wanted.map((one) => Math.min(one, most))
  const room = width - GAP * (wanted.length - 1)
  let least = NARROWEST
  let most = Math.max(NARROWEST, ...wanted)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    const fits = cutTo(middle).reduce((sum, one) => sum + one, 0) <= room
    if (fits) least = middle
    else most = middle - 1
  }
  return cutTo(least)
}

export function shortened(text: string, room: number): string {
  const letters = [...text]
  return letters.length <= room ? text : `${letters.slice(0, Math.max(0, room - 1)).join('')}…`
}

function lengthOf(text: string): number {
  return [...text].length
}

/** One line, and never nothing: a gap would look like the next column. */
function shown(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return line === '' ? '-' : line
}
