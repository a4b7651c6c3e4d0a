import { expect, test } from 'vitest'
import { Members } from './members.ts'

const member = (id: string, revision: number) => ({ id, address: '', duties: new Set<string>(), revision })
const ids = (members: readonly { id: string }[]) => members.map(({ id }) => id)

test('a member is dead when its heartbeat stood still for four seconds before a renewal began', () => {
  const members = new Members(4000)
  members.saw(member('a', 1), 0)
  members.saw(member('b', 2), 1000)
  members.saw(member('a', 1), 3000)
  expect(ids(members.live(3999))).toEqual(['a', 'b'])
  expect(members.nextDeath(3999)).toBe(4000)
  expect(ids(members.live(4000))).toEqual(['b'])
  expect(members.nextDeath(4000)).toBe(5000)
  members.saw(member('a', 3), 4500)
  expect(ids(members.live(4500))).toEqual(['a', 'b'])
})

test('what arrives late, after a pause of this server, counts from when it was seen', () => {
  const members = new Members(4000)
  members.saw(member('a', 1), 0)
  // It did not run until 60,000; then it renewed, and saw the newest heartbeat before that was answered.
  members.saw(member('a', 50), 60_001)
  expect(ids(members.live(60_000))).toEqual(['a'])
})

test('one that left is not there, one that is dead stays for a while', () => {
  const members = new Members(4000)
  members.saw(member('a', 1), 0)
  members.saw(member('b', 2), 0)
  members.gone('a')
  expect(ids(members.live(0))).toEqual(['b'])
  expect(ids(members.dead(63_999, 60_000))).toEqual([])
  expect(ids(members.dead(64_000, 60_000))).toEqual(['b'])
})
