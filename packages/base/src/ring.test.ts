import { expect, it } from 'vitest'
import { Ring } from './ring.ts'

const uids = Array.from({ length: 3000 }, (_, at) => `6f1c${at.toString(16).padStart(4, '0')}-0000-4000-8000-${at}`)

it('gives every object one owner, whatever the order of members, and about the same number to each', () => {
  const [ring, same] = [new Ring(['a', 'b', 'c', 'd', 'e']), new Ring(['e', 'c', 'a', 'd', 'b'])]
  const counts = new Map<string | undefined, number>()
  for (const uid of uids) {
    const owner = ring.ownerOf(uid)
    expect(same.ownerOf(uid)).toBe(owner)
    counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const count of counts.values()) expect(Math.abs(count - 600)).toBeLessThan(100)
})

it('moves only the objects of the member that comes or goes', () => {
  const [three, two] = [new Ring(['a', 'b', 'c']), new Ring(['a', 'b'])]
  for (const uid of uids) {
    const owner = three.ownerOf(uid)
    if (owner !== 'c') expect(two.ownerOf(uid)).toBe(owner)
  }
})

it('never changes its hash', () => {
  const ring = new Ring(['web-0', 'web-1', 'web-2'])
  const owners = ['0b6cbd6a-7d5b-4f0a-9a3b-3f7f0c7b5a01', '1', '2', '3', '4'].map((uid) => ring.ownerOf(uid))
  expect(owners).toMatchInlineSnapshot(`
    [
      "web-0",
      "web-0",
      "web-2",
      "web-0",
      "web-0",
    ]
  `)
  expect(new Ring([]).ownerOf('1')).toBeUndefined()
})
