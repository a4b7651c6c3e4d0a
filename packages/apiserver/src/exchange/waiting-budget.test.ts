import { isStatusError } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { WaitingBudget } from './waiting-budget.ts'

/** A clock whose timers run when the test says so. */
function manualClock() {
  const timers = new Set<() => void>()
  return {
    now: () => 0,
    setTimer: (_ms: number, callback: () => void) => {
      timers.add(callback)
      return () => timers.delete(callback)
    },
    timers,
  }
}

function budget(total: number, maxWaiting = 2) {
  const clock = manualClock()
  return { clock, budget: new WaitingBudget({ total, maxWaiting, maxWaitMs: 1000, message: 'too many', clock }) }
}

it('who finds no room waits in line and goes on in order', async () => {
  const { budget: lane } = budget(2)
  expect([lane.tryTake(1), lane.tryTake(1), lane.tryTake(1)]).toEqual([true, true, false])
  const order: string[] = []
  const first = lane.take(1).then(() => order.push('first'))
  const second = lane.take(1).then(() => order.push('second'))
  lane.give(1)
  await first
  // A returned amount goes to the first waiting taker, not to a new one.
  expect(lane.tryTake(1)).toBe(false)
  lane.give(1)
  await second
  expect(order).toEqual(['first', 'second'])
  expect(lane.used).toBe(2)
})

it('the line has an end, and so has the waiting', async () => {
  const { budget: lane, clock } = budget(1, 1)
  lane.tryTake(1)
  const late = lane.take(1).catch((error: unknown) => error)
  const refused = await lane.take(1).catch((error: unknown) => error)
  expect(isStatusError(refused, 'TooManyRequests')).toBe(true)
  expect(refused).toMatchObject({ code: 429, status: { details: { retryAfterSeconds: 1 } } })
  for (const run of [...clock.timers]) run()
  expect(isStatusError(await late, 'TooManyRequests')).toBe(true)
  expect({ refused: lane.refused, waiting: lane.waiting, used: lane.used }).toEqual({ refused: 2, waiting: 0, used: 1 })
})

it('one that wants more than there is gets its turn alone', async () => {
  const { budget: bytes, clock } = budget(10)
  bytes.tryTake(4)
  const large = bytes.take(50)
  expect(bytes.tryTake(1)).toBe(false)
  bytes.give(4)
  await large
  expect(bytes.used).toBe(50)
  expect(bytes.tryTake(1)).toBe(false)
  bytes.give(50)
  expect(bytes.tryTake(10)).toBe(true)
  expect(clock.timers.size).toBe(0)
})

it('a large one that gave up does not keep small ones waiting', async () => {
  const { budget: bytes, clock } = budget(10)
  bytes.tryTake(4)
  const large = bytes.take(8).catch((error: unknown) => error)
  const [giveUp] = clock.timers
  const small = bytes.take(2)
  giveUp?.()
  await small
  expect(isStatusError(await large, 'TooManyRequests')).toBe(true)
  expect(bytes.used).toBe(6)
})
