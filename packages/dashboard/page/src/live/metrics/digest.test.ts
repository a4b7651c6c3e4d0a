import { expect, test } from 'vitest'
import { digestOf, type Reading, rateOf } from './digest.ts'
import { readSamples } from './prometheus-text.ts'

const reading = (at: number, text: string): Reading => ({ at, samples: readSamples(text, () => true) })

test('counters become rates per second, and one that began anew counts from nothing', () => {
  const first = reading(1000, 'apiserver_request_total{code="200"} 100\napiserver_request_total{code="404"} 4')
  const second = reading(3000, 'apiserver_request_total{code="200"} 120\napiserver_request_total{code="404"} 5')
  expect(digestOf(second, first)).toMatchObject({ requests: 10.5, refused: 0.5 })
  expect(digestOf(first, undefined)).not.toHaveProperty('requests')
  const again = reading(5000, 'apiserver_request_total{code="200"} 8')
  expect(rateOf(again, second, 'apiserver_request_total')).toBe(4)
  expect(rateOf(second, second, 'apiserver_request_total')).toBeUndefined()
})

test('the queue is summed, and has a series for each of the types with the most that waits', () => {
  const lines = Array.from(
    { length: 20 },
    (_, index) => `homeostat_colony_processes{namespace="n",executor_type="t${index}",phase="waiting"} ${index}`,
  )
  const digest = digestOf(reading(0, lines.join('\n')), undefined)
  expect(digest.waiting).toBe(190)
  expect(Object.keys(digest).filter((name) => name.startsWith('waiting '))).toEqual(
    [19, 18, 17, 16, 15, 14, 13, 12].map((index) => `waiting t${index}`),
  )
})

test('the mean time of a commit is that of the time between', () => {
  const text = (commits: number, spent: number) =>
    `homeostat_store_commits_total ${commits}\nhomeostat_store_commit_seconds_total ${spent}`
  expect(digestOf(reading(2000, text(10, 0.1)), reading(1000, text(5, 0.05)))['commit ms']).toBeCloseTo(10)
  expect(digestOf(reading(2000, text(5, 0.05)), reading(1000, text(5, 0.05)))).not.toHaveProperty('commit ms')
})
