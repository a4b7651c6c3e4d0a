// Which columns and rows a table shows, and in which order. Pure: what the screen shows follows from the replica and the address.

import type { Column, Row, TableState } from '../../live/table-replica.ts'
import { type ColumnFilters, matcherOf } from './column-filter.ts'
import { type ColumnSpec, parseColumns } from './column-spec.ts'

export interface Arrangement {
  readonly text?: string | undefined
  readonly sort?: string | undefined
  /** As in the address. */
  readonly columns?: string | undefined
  readonly filters?: ColumnFilters
  /** The paths that the replica reads, in the order of each row's `fields`. */
  readonly paths?: readonly string[]
  readonly showNamespace: boolean
  readonly now: number
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

export function arrange({ columns, rows }: Pick<TableState, 'columns' | 'rows'>, wanted: Arrangement): Arranged {
  const shown = shownColumns(columns, wanted)
  const found = filtered(rows, shown, wanted)
  return { columns: shown, rows: sorted(found, shown, wanted.sort) }
}

/** What the server shows first, unless somebody chose; the chosen ones stand in the order in which they were chosen. */
function shownColumns(columns: readonly Column[], { columns: chosen, paths = [], showNamespace }: Arrangement) {
  const specs = parseColumns(chosen)
  const shown: ArrangedColumn[] = []
  if (specs === undefined || specs === 'all') {
    for (const [index, column] of columns.entries())
      if (specs === 'all' || column.priority === 0) shown.push(serverColumn(column, index))
  } else {
    // A row without its name could not be told from the others.
    const withName = specs.some(isName) ? specs : [{ from: 'server', name: 'Name' } as const, ...specs]
    for (const spec of withName) {
      const column = chosenColumn(columns, spec, paths)
      if (column !== undefined) shown.push(column)
    }
  }
  if (showNamespace) shown.unshift({ name: 'Namespace', description: '', value: ({ namespace }) => namespace ?? '' })
  return shown
}

const isName = ({ from, name }: ColumnSpec) => from === 'server' && name === 'Name'

function chosenColumn(columns: readonly Column[], { from, name }: ColumnSpec, paths: readonly string[]) {
  if (from === 'label')
    return {
      name: `label:${name}`,
      description: `The label ${name}`,
      value: ({ metadata }: Row) => metadata.labels?.[name],
    }
  if (from === 'field') {
    const place = paths.indexOf(name)
    return place < 0
      ? undefined
      : { name, description: `The field ${name}`, value: ({ fields }: Row) => fields?.[place] }
  }
  const index = columns.findIndex((column) => column.name === name)
  const column = columns[index]
  return column && serverColumn(column, index)
}

function serverColumn({ name, description }: Column, index: number): ArrangedColumn {
  // An age that the server wrote would stand still.
  if (name === 'Age') return { name, description, value: ({ metadata }) => metadata.creationTimestamp }
  return { name, description, value: ({ cells }) => cells[index] }
}

function filtered(
  rows: readonly Row[],
  columns: readonly ArrangedColumn[],
  { text, filters = {}, now }: Arrangement,
): readonly Row[] {
  const tests: ((row: Row) => boolean)[] = []
  const wanted = text?.toLowerCase()
  if (wanted) tests.push((row) => holds(row, wanted))
  for (const [name, filter] of Object.entries(filters)) {
    const column = columns.find((one) => one.name === name)
    if (column === undefined) continue
    const matches = matcherOf(filter, now)
    tests.push((row) => matches(column.value(row)))
  }
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)))
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
    .sort((a, b) => compareCells(a.key, b.key, sign))
    .map(({ row }) => row)
}

const collator = new Intl.Collator('en', { numeric: true })

/** What has no value is last, in both directions. */
function compareCells(a: unknown, b: unknown, sign: number): number {
  const missing = Number(isEmpty(a)) - Number(isEmpty(b))
  if (missing !== 0 || isEmpty(a)) return missing
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * collator.compare(keyOf(a), keyOf(b))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Names and messages differ early; what is longer is not compared. */
const LONGEST_KEY = 200

function keyOf(value: unknown): string {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, LONGEST_KEY)
}
