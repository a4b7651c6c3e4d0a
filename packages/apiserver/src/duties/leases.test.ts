import { expect, test } from 'vitest'
import { dutyLease, formerLeaders, holderOf, withTerm } from './leases.ts'

test('the Lease of a duty tells who led it before at other addresses, and until when', () => {
  let lease = withTerm(dutyLease('work', undefined, 'a-1', 1000), 'https://a:6443', 1000)
  expect(formerLeaders(lease, 'https://a:6443')).toEqual([])
  lease = withTerm(dutyLease('work', lease, 'b-1', 2000), 'https://b:6443', 2000)
  // Handed over to nobody, and taken by the first server again, which is another process now.
  lease = dutyLease('work', lease, '', 3000)
  expect(holderOf(lease)).toBe('')
  lease = withTerm(dutyLease('work', lease, 'a-2', 4000), 'https://a:6443', 4000)
  expect(formerLeaders(lease, 'https://a:6443')).toEqual([{ address: 'https://b:6443', since: 2000, until: 4000 }])
  expect(formerLeaders(lease, 'https://c:6443')).toHaveLength(2)
})

test('it tells of the last twenty terms, and of none that it cannot read', () => {
  let lease = dutyLease('work', undefined, '', 0)
  for (let at = 1; at <= 40; at++) lease = withTerm(lease, `https://s${at}:6443`, at * 1000)
  const former = formerLeaders(lease, '')
  expect([former.length, former[0]?.address, former.at(-1)?.address]).toEqual([
    19,
    'https://s21:6443',
    'https://s39:6443',
  ])
  lease.metadata.annotations = { 'homeostat.io/terms': 'of somebody else' }
  expect(formerLeaders(lease, '')).toEqual([])
})
