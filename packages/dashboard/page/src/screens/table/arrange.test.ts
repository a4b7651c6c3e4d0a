import { describe, expect, test } from 'vitest'
import type { Column, Row } from '../../live/table-replica.ts'
import { type Arrangement, arrange } from './arrange.ts'
import { fieldPaths, fieldProblem, parseColumns, printColumns } from './column-spec.ts'

const column = (name: string, priority = 0): Column => ({ name, type: 'string', format: '', description: '', priority })
const COLUMNS = [column('Name'), column('Phase'), column('Size', 1), column('Age')]
const row = (name: string, phase: unknown, size: unknown, more: Partial<Row> = {}): Row => ({
  uid: name,
  namespace: 'dev',
  name,
  cells: [name, phase, size, '5m'],
  metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: `2026-01-0${name.length}T00:00:00Z` },
  ...more,
})
const ROWS = [row('b10', 'Failed', 3), row('b9', null, 20), row('a', 'Ready', null)]

function names(wanted: Partial<Arrangement>, rows: readonly Row[] = ROWS): string[] {
  return arrange({ columns: COLUMNS, rows }, { showNamespace: false, now: 0, ...wanted }).rows.map(({ name }) => name)
}

function heads(wanted: Partial<Arrangement>): string[] {
  return arrange({ columns: COLUMNS, rows: [] }, { showNamespace: false, now: 0, ...wanted }).columns.map(
    ({ name }) => name,
  )
}

describe('the columns', () => {
  test.each<[Partial<Arrangement>, string[]]>([
    [{}, ['Name', 'Phase', 'Age']],
    [{ columns: 'all' }, ['Name', 'Phase', 'Size', 'Age']],
    [{ columns: 'Age,Size' }, ['Name', 'Age', 'Size']],
    [{ columns: 'Name,gone,label:team' }, ['Name', 'label:team']],
    [{ columns: '.spec.x,Name', paths: ['.spec.x'] }, ['.spec.x', 'Name']],
    [{ columns: '.spec.x,Name' }, ['Name']],
    [{ showNamespace: true }, ['Namespace', 'Name', 'Phase', 'Age']],
  ])('%j are %j', (wanted, expected) => expect(heads(wanted)).toEqual(expected))

  test('have values from labels, fields and the creation', () => {
    const { columns } = arrange(
      { columns: COLUMNS, rows: [] },
      { columns: 'label:team,.spec.x,Age', paths: ['.spec.x'], showNamespace: false, now: 0 },
    )
    const one = row('a', '', '', { fields: [7], metadata: { ...row('a', '', '').metadata, labels: { team: 'red' } } })
    expect(columns.map(({ value }) => value(one))).toEqual(['a', 'red', 7, '2026-01-01T00:00:00Z'])
  })

  test('survive the address', () => {
    const specs = [
      { from: 'server', name: 'a,b%2C' },
      { from: 'label', name: 'x/y' },
      { from: 'field', name: '.spec["a,b"]' },
    ] as const
    expect(parseColumns(printColumns(specs))).toEqual(specs)
    expect(fieldPaths('Name,.spec.x,.spec[,all')).toEqual(['.spec.x'])
    expect(fieldProblem('spec.x')).toContain('dot')
    expect(fieldProblem('.spec[')).toBeTruthy()
    expect(fieldProblem('.items[*].name')).toBeUndefined()
  })
})

describe('the rows', () => {
  test.each<[Partial<Arrangement>, string[]]>([
    [{}, ['b10', 'b9', 'a']],
    [{ sort: 'Name' }, ['a', 'b9', 'b10']],
    [{ sort: '-Name' }, ['b10', 'b9', 'a']],
    [{ sort: 'Size', columns: 'all' }, ['b10', 'b9', 'a']],
    [{ sort: '-Size', columns: 'all' }, ['b9', 'b10', 'a']],
    [{ sort: '-Phase' }, ['a', 'b10', 'b9']],
    [{ sort: 'gone' }, ['b10', 'b9', 'a']],
    [{ text: 'B1' }, ['b10']],
    [{ text: 'dev', filters: { Phase: '=ready' } }, ['a']],
    [{ filters: { gone: 'x' } }, ['b10', 'b9', 'a']],
  ])('by %j are %j', (wanted, expected) => expect(names(wanted)).toEqual(expected))

  test('of 20,000 with long cells are sorted without reading them whole', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => row(`n${index}`, 'x'.repeat(1000), index))
    expect(names({ sort: 'Phase' }, rows)).toHaveLength(20_000)
  })
})
