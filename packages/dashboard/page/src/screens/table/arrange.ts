// Which columns and rows a table shows, and in which order. Pure: what the screen shows follows from the replica and the address.

import type { Column, Row, TableState } from '../../live/table-replica.ts'

export interface Arrangement {
  readonly text: string | undefined
  readonly sort: string | undefined
  readonly columns: string | undefined
  readonly showNamespace: boolean
}

export interface ArrangedColumn {
  readonly name: string
  readonly description: string
  readonly value: (row: Row) => unknown
}

export interface Arranged {
  readonly columns: readonly ArrangedColumn[]
  readonly rows: readonly Row[]
}

export function arrange(
  { columns, rows }: TableState,
  { text, sort, columns: chosen, showNamespace }: Arrangement,
): Arranged {
  const shown = columns.flatMap((column, index) => (isShown(column, chosen) ? [columnOf(column, index)] : []))
  if (showNamespace) shown.unshift({ name: 'Namespace', description: '', value: ({ namespace }) => namespace ?? '' })
  const wanted = text?.toLowerCase()
  const found = wanted === undefined ? rows : rows.filter((row) => holds(row, wanted))
  return { columns: shown, rows: sorted(found, shown, sort) }
}

function isShown({ name, priority }: Column, chosen: string | undefined): boolean {
  if (chosen === undefined) return priority === 0
  return chosen === 'all' || chosen.split(',').includes(name)
}

function columnOf({ name, description, type, format }: Column, index: number): ArrangedColumn {
  // An age that the server wrote would stand still.
  if (name === 'Age' || (type === 'date' && format === '')) {
    return {
      name,
      description,
      value: ({ metadata, cells }) => (name === 'Age' ? metadata.creationTimestamp : cells[index]),
    }
  }
  return { name, description, value: ({ cells }) => cells[index] }
}

function holds({ namespace, cells }: Row, text: string): boolean {
  if (namespace?.toLowerCase().includes(text)) return true
  return cells.some((cell) => String(cell).toLowerCase().includes(text))
}

function sorted(rows: readonly Row[], columns: readonly ArrangedColumn[], sort: string | undefined): readonly Row[] {
  if (sort === undefined) return rows
  const down = sort.startsWith('-')
  const column = columns.find(({ name }) => name === (down ? sort.slice(1) : sort))
  if (column === undefined) return rows
  const sign = down ? -1 : 1
  return rows
    .map((row) => ({ row, key: column.value(row) }))
    .sort((a, b) => sign * compareCells(a.key, b.key))
    .map(({ row }) => row)
}

const collator = new Intl.Collator('en', { numeric: true })

function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a ?? ''), String(b ?? ''))
}
