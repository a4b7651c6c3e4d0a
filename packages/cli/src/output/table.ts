// Prints aligned columns. On a terminal the widest columns are cut with an ellipsis until the table fits, names last.
// In a file or a pipe nothing is cut, since a program may read it.

import { escapeControls } from './escape-controls.ts'
import type { Paint, Tone } from './style.ts'

export interface Column<T> {
  readonly header: string
  /** An empty text is shown as a dash. */
  text(item: T): string
  tone?(text: string): Tone | undefined
  /** Only in wide tables. */
  readonly wide?: true
  /** Cut last, because people type its text in the next command. */
  readonly firm?: true
}

export interface Table<T> {
  head(): string
  row(item: T): string
}

const GAP = 3
const NARROWEST = 6
/** Before firm columns are cut, the others get no narrower than this. */
const NARROW = 10

/** The columns are as wide as these items need; a longer text that comes later moves its own row only. */
export function tableOf<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  { width, paint }: { readonly width: number | undefined; readonly paint: Paint },
): Table<T> {
  const wanted = columns.map(({ header, text }) =>
    Math.max(...[header, ...items.map((item) => shown(text(item)))].map(lengthOf)),
  )
  const firm = columns.map((column) => column.firm ?? false)
  const widths = width === undefined ? wanted : fitted(wanted, width, firm)
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

/** Columns are cut to one width, the greatest with which all fit: those that are not firm, or else all of them. */
export function fitted(wanted: readonly number[], width: number, firm: readonly boolean[] = []): number[] {
  const room = width - GAP * (wanted.length - 1)
  const cutTo = (most: number, all: boolean) => wanted.map((one, at) => (firm[at] && !all ? one : Math.min(one, most)))
  const fits = (widths: readonly number[]) => widths.reduce((sum, one) => sum + one, 0) <= room
  const all = !fits(cutTo(NARROW, false))
  let least = all ? NARROWEST : NARROW
  let most = Math.max(least, ...wanted)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(cutTo(middle, all))) least = middle
    else most = middle - 1
  }
  return cutTo(least, all)
}

export function shortened(text: string, room: number): string {
  const letters = [...text]
  return letters.length <= room ? text : `${letters.slice(0, Math.max(0, room - 1)).join('')}…`
}

function lengthOf(text: string): number {
  return [...text].length
}

/** One line, never empty (a gap would look like the next column), without bidirectional marks (they would reorder the row). */
function shown(text: string): string {
  const line = escapeControls(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
  return line === '' ? '-' : line
}
