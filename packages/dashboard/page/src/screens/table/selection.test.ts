import { expect, test } from 'vitest'
import { allToggled, extended, moved, NOTHING, toggled } from './selection.ts'

const UIDS = ['a', 'b', 'c', 'd', 'e']

test('the keyboard goes from row to row, stays within them, and begins at the side that it comes from', () => {
  expect(moved(NOTHING, UIDS, 1).at).toBe('a')
  expect(moved(NOTHING, UIDS, -1).at).toBe('e')
  expect(moved({ ...NOTHING, at: 'd' }, UIDS, 20).at).toBe('e')
  expect(moved({ ...NOTHING, at: 'gone' }, UIDS, 1).at).toBe('a')
  expect(moved(NOTHING, [], 1)).toBe(NOTHING)
})

test('with Shift it marks what it passes', () => {
  const begun = toggled(NOTHING, 'b')
  expect([...moved(moved(begun, UIDS, 1, true), UIDS, 1, true).marked]).toEqual(['b', 'c', 'd'])
})

test('a click with Shift marks from the last marked row to this one, upwards too', () => {
  expect([...extended(toggled(NOTHING, 'd'), UIDS, 'b').marked].sort()).toEqual(['b', 'c', 'd'])
})

test('all are marked, then none; what is not shown any more is no longer marked', () => {
  const all = allToggled(toggled(NOTHING, 'gone'), UIDS)
  expect([...all.marked]).toEqual(UIDS)
  expect(allToggled(all, UIDS).marked.size).toBe(0)
})
