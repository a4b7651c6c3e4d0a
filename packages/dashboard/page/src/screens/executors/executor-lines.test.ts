import { expect, test } from 'vitest'
import type { Row } from '../../live/table-replica.ts'
import { candidates, executorLines } from './executor-lines.ts'

const row = (name: string, fields: unknown[], metadata: object = {}): Row => ({
  uid: name,
  namespace: 'dev',
  name,
  cells: [],
  fields,
  metadata: { name, namespace: 'dev', uid: name, resourceVersion: '1', ...metadata },
})

test('an executor has the time of its Lease and the Processes that it runs; what is lost stands last', () => {
  const lines = executorLines(
    [
      row('gone', ['ml', 'Lost', undefined, undefined, undefined]),
      row('e1', ['ml', 'Online', 'berlin', ['f'], { cpu: 4 }]),
    ],
    [row('executor-e1', ['2026-01-01T00:00:00Z']), row('other', ['x'])],
    [row('p1', ['e1']), row('p2', ['e1']), row('p3', [undefined])],
  )
  expect(lines.map(({ name }) => name)).toEqual(['e1', 'gone'])
  expect(lines[0]).toMatchObject({
    type: 'ml',
    location: 'berlin',
    functions: ['f'],
    capabilities: { cpu: 4 },
    lastSeen: '2026-01-01T00:00:00Z',
    holds: ['p1', 'p2'],
  })
})

test('fields that are something else than they should be break nothing', () => {
  expect(executorLines([row('e', [7, {}, [], 'x', null])], [row('executor-e', [7])], [])).toMatchObject([
    { type: '', phase: 'Unknown', location: '', functions: [], lastSeen: '' },
  ])
})

test('who joined and has no binding waits for an approval', () => {
  const account = (name: string) =>
    row(`executor-${name}`, [], {
      labels: { 'colonies.io/executor': name },
      annotations: { 'colonies.io/executor-type': 'ml' },
    })
  expect(candidates([account('a'), account('b')], [row('executor-a', [])])).toMatchObject([{ name: 'b', type: 'ml' }])
})
