import { expect, test } from 'vitest'
import { cellText, TableLayout, type TableView } from './server-table.ts'

const VIEW: TableView = { wide: false, headers: true, namespaces: false, labels: false, prefix: '' }
const COLUMNS = [{ name: 'Name', format: 'name' }, { name: 'Up' }, { name: 'Image', priority: 1 }, { name: 'Age' }]
const row = (name: string, ...cells: unknown[]) => ({
  cells: [name, ...cells],
  object: { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: 'ns', labels: { a: 'b' } } },
})
const layout = (view: Partial<TableView> = {}) => new TableLayout({ ...VIEW, ...view }, (_, text) => text)

test('columns are at least six wide, the last one is not padded, and rows that follow keep the widths', () => {
  const table = layout()
  expect(table.lines({ columns: COLUMNS, rows: [row('long-name', 1, 'i', '3s')] })).toBe(
    'NAME        UP    AGE\nlong-name   1     3s\n',
  )
  expect(table.lines({ columns: COLUMNS, rows: [row('b', 2, 'i', '1s')] })).toBe('b           2     1s\n')
  expect(table.lines({ columns: COLUMNS, rows: [row('a-longer-name', 2, 'i', '1s')] })).toBe(
    'a-longer-name   2     1s\n',
  )
})

test('wide tables, namespaces, labels and names with their kind', () => {
  const view = { wide: true, namespaces: true, labels: true, prefix: 'x/' }
  expect(layout(view).lines({ columns: COLUMNS, rows: [row('n', 1, 'i', '3s')] })).toBe(
    'NAMESPACE   NAME   UP    IMAGE   AGE   LABELS\nns          x/n    1     i       3s    a=b\n',
  )
  expect(layout({ headers: false }).lines({ columns: COLUMNS, rows: [row('n', 1, 'i', '3s')] })).toBe(
    'n     1     3s\n',
  )
  expect(layout().lines({ columns: COLUMNS, rows: [] })).toBe('')
})

test.each([
  ['\x1b]0;owned\x07\x1b[2J', '^[]0;owned^G^[[2J'],
  ['two\nlines', 'two...'],
  ['over\rwritten', 'over...'],
  ['a\tb', 'a b'],
  ['\u009b31m', '\\u009b31m'],
  [null, ''],
  [undefined, ''],
  [false, 'false'],
  [3, '3'],
  [{ a: 1 }, '{"a":1}'],
])('a cell %j is shown as %j', (value, shown) => {
  expect(cellText(value)).toBe(shown)
})

test('a server that sends more or fewer cells than columns breaks nothing', () => {
  const rows = [row('a'), row('b', 1, 'i', '3s', 'more')]
  expect(layout().lines({ columns: COLUMNS, rows })).toBe('NAME   UP    AGE\na            \nb      1     3s\n')
})
