import { expect, test } from 'vitest'
import type { Row } from '../../live/table-replica.ts'
import { memberLines } from './member-lines.ts'

const NOW = Date.parse('2026-01-01T00:01:00Z')
const lease = (name: string, fields: unknown[], metadata: object): Row => ({
  uid: name,
  namespace: 'kube-system',
  name,
  cells: [],
  fields,
  metadata: { name, uid: name, resourceVersion: '1', ...metadata },
})
const member = (id: string, renewed: string, duties: string) =>
  lease(`homeostat-member-${id}`, [id, renewed, 10], {
    labels: { 'homeostat.io/member': id },
    annotations: { 'homeostat.io/address': `https://${id}:6443`, 'homeostat.io/duties': duties },
  })

test('each server has its duties; one that is silent is lost, one that offers none drains', () => {
  const lines = memberLines(
    [
      member('a', '2026-01-01T00:00:55Z', 'gc,colony'),
      member('b', '2026-01-01T00:00:55Z', ''),
      member('c', '2026-01-01T00:00:40Z', 'gc'),
      lease('homeostat-duty-gc', ['a'], { labels: { 'homeostat.io/duty': 'gc' } }),
      lease('executor-x', ['x', '2026-01-01T00:00:55Z', 10], {}),
    ],
    NOW,
  )
  expect(lines.map(({ id, phase, duties }) => [id, phase, duties.join()])).toEqual([
    ['a', 'Online', 'gc'],
    ['b', 'Draining', ''],
    ['c', 'Lost', ''],
  ])
  expect(lines[0]?.address).toBe('https://a:6443')
})

test('a Lease without times is of a server that is lost', () => {
  expect(memberLines([lease('x', [], { labels: { 'homeostat.io/member': 'x' } })], NOW)).toMatchObject([
    { phase: 'Lost' },
  ])
})
