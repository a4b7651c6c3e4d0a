// Lays out the tables that servers send as kubectl does: nothing is cut, and columns that follow later keep the widths of
// those before. Cells come from anybody, so that what a terminal would obey is shown as text.

import type { ApiObject } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { toneOf } from './cells.ts'
import type { Paint } from './style.ts'

export interface TableView {
  readonly wide: boolean
  readonly headers: boolean
  /** A first column with the namespace. */
  readonly namespaces: boolean
  readonly labels: boolean
  /** Stands before each name, e.g. `pod/`. */
  readonly prefix: string
}

interface Shown {
  readonly columns: readonly { readonly name: string; readonly format?: string; readonly priority?: number }[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: ApiObject }[]
}

const NARROWEST = 6
const GAP = 3

export class TableLayout {
  readonly #view: TableView
  readonly #paint: Paint
  readonly #widths: number[] = []
  #head = ''

  constructor(view: TableView, paint: Paint) {
    this.#view = view
    this.#paint = paint
  }

  /** The lines of the rows; before them their head, unless the rows before had the same. */
  lines({ columns, rows }: Shown): string {
    if (rows.length === 0) return ''
    const texts = rows.map((row) => this.#texts(columns, row))
    const head = this.#headOf(columns)
    const isNew = this.#view.headers && head.join('\t') !== this.#head
    this.#head = head.join('\t')
    const all = isNew ? [head, ...texts] : texts
    for (const line of all) {
      line.forEach((text, at) => {
        this.#widths[at] = Math.max(this.#widths[at] ?? NARROWEST, lengthOf(text) + GAP)
      })
    }
    return all.map((line, at) => `${this.#line(line, isNew && at === 0)}\n`).join('')
  }

  #line(texts: readonly string[], isHead: boolean): string {
    return texts
      .map((text, at) => {
        const padding = at === texts.length - 1 ? '' : ' '.repeat(Math.max(0, (this.#widths[at] ?? 0) - lengthOf(text)))
        return `${isHead ? text : this.#paint(toneOf(text), text)}${padding}`
      })
      .join('')
  }

  #headOf(columns: Shown['columns']): string[] {
    const { namespaces, labels } = this.#view
    const names = columns.filter((column) => this.#isShown(column)).map(({ name }) => cellText(name).toUpperCase())
    return [...(namespaces ? ['NAMESPACE'] : []), ...names, ...(labels ? ['LABELS'] : [])]
  }

  #texts(columns: Shown['columns'], { cells, object }: Shown['rows'][number]): string[] {
    const { namespaces, labels, prefix } = this.#view
    const texts = columns.flatMap((column, at) => {
      if (!this.#isShown(column)) return []
      const text = cellText(cells[at])
      return column.format === 'name' || (column.name === 'Name' && at === 0) ? `${prefix}${text}` : text
    })
    const { metadata } = object
    const pairs = Object.entries(metadata?.labels ?? {}).map(([key, value]) => cellText(`${key}=${value}`))
    return [
      ...(namespaces ? [cellText(metadata?.namespace)] : []),
      ...texts,
      ...(labels ? [pairs.length === 0 ? '<none>' : pairs.join(',')] : []),
    ]
  }

  #isShown({ priority = 0 }: { readonly priority?: number }): boolean {
    return this.#view.wide || priority === 0
  }
}

/** One line, as kubectl writes it: cut at a line break, with the escapes of terminals as text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? writeJson(value) : String(value)
  const [line = ''] = text.split(/[\f\n\r]/, 1)
  const whole = line.length === text.length ? line : `${line}...`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return whole.replaceAll('\t', ' ').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, controlText)
}

/** `^[` for an escape, as `cat -v` writes it. */
function controlText(one: string): string {
  const code = one.charCodeAt(0)
  return code < 0x20 ? `^${String.fromCharCode(code + 64)}` : `\\u${code.toString(16).padStart(4, '0')}`
}

function lengthOf(text: string): number {
  return [...text].length
}
