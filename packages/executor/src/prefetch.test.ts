// An executor that fetches ahead: it does so while functions end soon, and gives back what would wait.

import { ManualClock } from '@homeostat/base'
import { until } from '@homeostat/base/testing/eventually'
import { expect, test } from 'vitest'
import { FakeColony } from './fake-colony.fixture.ts'
import { gate, start } from './running-executor.fixture.ts'

test('begins the next without a call while functions end soon', async () => {
  const colony = new FakeColony()
  for (const name of 'abcde') colony.submit(name)
  const closed: string[] = []
  start(colony, { prefetch: 2, onClosed: ({ metadata }) => closed.push(metadata.name ?? '') })
  await until(() => expect(closed).toEqual(['a', 'b', 'c', 'd', 'e']))
  expect(colony.of('assign')[0]).toMatchObject({ max: 1 })
  expect(colony.of('assign')).toContainEqual(expect.objectContaining({ max: 3, prefetch: 2 }))
  expect(colony.of('assign').some(({ returned }) => returned !== undefined)).toBe(false)
})

test('gives back what has not begun when a function takes longer, and fetches no more then', async () => {
  const colony = new FakeColony()
  const clock = new ManualClock(0)
  const { work, begun, release } = gate()
  start(colony, { prefetch: 2, clock, functions: { work: () => 'done', long: work } })
  colony.submit('short')
  await until(() => expect(colony.closed).toHaveLength(1))
  colony.submit('long', { funcName: 'long' })
  await until(() => expect(begun).toEqual(['long']))
  colony.submit('next')
  await until(() => expect(colony.of('assign').at(-1)).toMatchObject({ prefetch: 1 }))
  clock.advance(100)
  await until(() => expect(colony.of('assign').at(-1)?.returned).toEqual([{ process: 'next', attempt: 1 }]))
  expect(colony.of('assign').at(-1)?.max).toBe(0)
  release('done')
  await until(() => expect(colony.closed.map(({ process }) => process)).toEqual(['short', 'long']))
})

test('gives back what has not begun when it is closed', async () => {
  const colony = new FakeColony()
  const { work, begun } = gate()
  const running = start(colony, { prefetch: 2, functions: { work: () => 'done', long: work } })
  colony.submit('short')
  await until(() => expect(colony.closed).toHaveLength(1))
  colony.submit('long', { funcName: 'long' })
  colony.submit('next')
  await until(() => expect(begun).toEqual(['long']))
  await until(() => expect(colony.waiting).toBe(0))
  await running.close()
  expect(colony.of('assign').flatMap(({ returned = [] }) => returned)).toEqual([{ process: 'next', attempt: 1 }])
  expect(colony.closed.map(({ process }) => process)).toEqual(['short', 'long'])
})

test.each([-1, 0.5, Number.NaN])('a prefetch of %s is refused', (prefetch) => {
  expect(() => start(new FakeColony(), { prefetch })).toThrow('the prefetch of an executor must be a whole number')
})
