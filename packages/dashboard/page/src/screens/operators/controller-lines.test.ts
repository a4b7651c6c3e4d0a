import { expect, test } from 'vitest'
import type { Row } from '../../live/table-replica.ts'
import { controllerLines, failingObjects, leaderLines } from './controller-lines.ts'

const row = (name: string, fields: unknown[], more: Partial<Row> = {}): Row => ({
  uid: name,
  namespace: 'dev',
  name,
  cells: [],
  fields,
  metadata: { name, uid: name, resourceVersion: '1' },
  ...more,
})

const event = (controller: string, type: string, reason: string, name: string, count: unknown, minute: number): Row =>
  row(`${name}-${reason}`, [
    controller,
    undefined,
    type,
    reason,
    'Site',
    name,
    count,
    undefined,
    '2026-01-01T00:00:00Z',
    `2026-01-01T00:0${minute}:00Z`,
    'no disk',
  ])

const EVENTS = [
  event('sites', 'Normal', 'Reconciled', 'a', 40, 1),
  event('sites', 'Warning', 'ReconcileFailed', 'b', 7, 5),
  event('sites', 'Warning', 'Other', 'b', undefined, 2),
  event('dns', 'Normal', 'Created', 'c', 'x', 3),
  row('none', []),
]

test('a controller is known by what it says: successes, warnings, and about which kinds', () => {
  expect(controllerLines(EVENTS)).toMatchObject([
    { name: 'sites', reconciled: 40, warnings: 8, others: 0, kinds: ['Site'], trouble: { name: 'b', note: 'no disk' } },
    { name: 'dns', reconciled: 0, warnings: 0, others: 1, trouble: undefined },
  ])
})

test('the objects with the most warnings stand first, each once', () => {
  expect(failingObjects(EVENTS, 5)).toMatchObject([{ name: 'b', count: 8, reason: 'ReconcileFailed' }])
})

test('Leases of leaders are told from signs of life', () => {
  const now = Date.parse('2026-01-01T00:00:10Z')
  const lease = (name: string, seconds: number, more: Partial<Row> = {}) =>
    row(name, ['pod-1', `2026-01-01T00:00:0${seconds}Z`, 1, 3], more)
  const labelled = { metadata: { name: 'm', uid: 'm', resourceVersion: '1', labels: { 'homeostat.io/member': 'm' } } }
  const lines = leaderLines([lease('sites', 9), lease('old', 1), lease('executor-x', 9), lease('m', 9, labelled)], now)
  expect(lines.map(({ lease, isHeld, changes }) => [lease, isHeld, changes])).toEqual([
    ['sites', true, 3],
    ['old', false, 3],
  ])
})
