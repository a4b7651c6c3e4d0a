import { expect, test } from 'vitest'
import { readSamples } from '../../live/metrics/prometheus-text.ts'
import { queueLines } from './queue-lines.ts'

const of = (namespace: string, type: string) => `namespace="${namespace}",executor_type="${type}"`
const TEXT = (count: number) => `
homeostat_colony_processes{${of('dev', 'ml')},phase="waiting"} 5
homeostat_colony_processes{${of('dev', 'ml')},phase="running"} 2
homeostat_colony_oldest_waiting_seconds{${of('dev', 'ml')}} 12.5
homeostat_colony_processes{${of('prod', 'gpu')},phase="waiting"} 9
homeostat_colony_executors{${of('dev', 'ml')},phase="online"} 3
homeostat_colony_executors{${of('dev', 'ml')},phase="lost"} 1
homeostat_colony_executors{${of('dev', 'idle')},phase="online"} 1
homeostat_colony_assign_seconds_count{${of('dev', 'ml')}} ${count}
homeostat_colony_assign_seconds_sum{${of('dev', 'ml')}} ${count / 2}`
const reading = (at: number, count: number) => ({ at, samples: readSamples(TEXT(count), () => true) })

test('there is a line for each type that has work or executors, the longest queue first', () => {
  const lines = queueLines(reading(2000, 14), reading(0, 10), [undefined])
  expect(lines.map(({ type }) => type)).toEqual(['gpu', 'ml', 'idle'])
  expect(lines[1]).toEqual({
    namespace: 'dev',
    type: 'ml',
    waiting: 5,
    running: 2,
    oldest: 12.5,
    online: 3,
    assigned: 2,
    pause: 0.5,
  })
  expect(lines[0]).toMatchObject({ online: 0, oldest: undefined })
})

test('only of the namespaces that are shown, and without rates at first', () => {
  const lines = queueLines(reading(0, 10), undefined, ['dev'])
  expect(lines.map(({ type, assigned }) => [type, assigned])).toEqual([
    ['ml', undefined],
    ['idle', undefined],
  ])
})
