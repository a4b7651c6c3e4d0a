import { expect, test } from 'vitest'
import { joinOverviews, type NotReady, type OverviewAnswer } from './join-overviews.ts'

const count = (resource: string, count: number, notReady: number) => ({
  group: 'example.com',
  version: 'v1',
  resource,
  count,
  notReady,
})
const bad = (uid: string, since: string) => ({ uid, since }) as NotReady
const answer = (counts: OverviewAnswer['counts'], ...notReady: NotReady[]): OverviewAnswer => ({
  counts,
  notReady,
  notReadyCount: counts.reduce((sum, one) => sum + one.notReady, 0),
})
const isNamespaced = ({ resource }: { readonly resource: string }) => resource !== 'zones'

test('namespaces are summed; what is in none of them counts once, and is named once, the newest first', () => {
  const joined = joinOverviews(
    [
      answer([count('sites', 3, 1), count('zones', 2, 1)], bad('z', '2026-01-02'), bad('a', '2026-01-01')),
      answer([count('sites', 4, 2), count('zones', 2, 1)], bad('b', '2026-01-03'), bad('z', '2026-01-02')),
    ],
    isNamespaced,
  )
  expect(joined.counts).toEqual([count('sites', 7, 3), count('zones', 2, 1)])
  expect(joined.notReadyCount).toBe(4)
  expect(joined.notReady.map(({ uid }) => uid)).toEqual(['b', 'z', 'a'])
})

test('a single one stays as it is', () => {
  const one = answer([count('sites', 1, 0)])
  expect(joinOverviews([one], isNamespaced)).toBe(one)
})
