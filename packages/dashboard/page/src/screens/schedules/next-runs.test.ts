import { expect, test } from 'vitest'
import { nextRuns } from './next-runs.ts'

const NOW = Date.parse('2026-03-27T12:00:00Z')
const since = '2026-03-27T00:00:00Z'
const told = (spec: object, count = 3) =>
  nextRuns(spec, { since, lastTick: '2026-03-27T12:00:00Z' }, 'u', NOW, count).times.map((time) =>
    new Date(time).toISOString(),
  )

test('in the time zone of the schedule, also when the clocks change', () => {
  expect(told({ cron: '0 9 * * *', timeZone: 'Europe/Berlin' })).toEqual([
    '2026-03-28T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ])
})

test('of an interval, and of one time', () => {
  expect(told({ intervalSeconds: 3600 }, 2)).toEqual(['2026-03-27T13:00:00.000Z', '2026-03-27T14:00:00.000Z'])
  expect(told({ at: '2026-03-28T00:00:00Z' })).toEqual(['2026-03-28T00:00:00.000Z'])
})

test('a suspended one has none, and a wrong one says why', () => {
  expect(told({ cron: '* * * * *', suspend: true })).toEqual([])
  expect(nextRuns({ cron: 'nonsense' }, {}, 'u', NOW, 3).problem).toBeTruthy()
  expect(nextRuns({ cron: '* * * * *', timeZone: 'Mars/Base' }, {}, 'u', NOW, 3).problem).toContain('Mars/Base')
})
