import { expect, it } from 'vitest'
import { HorizonKeeper } from './horizon-keeper.ts'

it('waits until both the time and the number of changes have passed', () => {
  const keeper = new HorizonKeeper({ ms: 100, changes: 50 })
  expect(keeper.next(0, 10)).toBe(0)
  expect(keeper.next(50, 200)).toBe(0)
  // At 100 the revision of time 0 is old enough: 10.
  expect(keeper.next(100, 300)).toBe(10)
  expect(keeper.next(150, 300)).toBe(200)
  // At 250 the revision of time 150 would be allowed by time, but 50 changes must stay.
  expect(keeper.next(250, 300)).toBe(250)
})

it('counts time from its own start, so a restart never forgets early', () => {
  const keeper = new HorizonKeeper({ ms: 100, changes: 0 })
  expect(keeper.next(1_000_000, 500)).toBe(0)
  expect(keeper.next(1_000_100, 900)).toBe(500)
})

it('keeps its memory small', () => {
  const keeper = new HorizonKeeper({ ms: 10, changes: 0 })
  let horizon = 0
  for (let now = 0; now < 10_000; now++) horizon = keeper.next(now, now)
  expect(horizon).toBe(9_989)
})
