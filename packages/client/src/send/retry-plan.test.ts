import { expect, test } from 'vitest'
import { DEFAULT_LIMITS, planRetry, type Tried } from './retry-plan.ts'

const response = (status: number, retryAfter?: string) => ({ status, retryAfter })
const NOW = Date.parse('2030-01-01T00:00:00Z')

test.each<[string, Partial<Tried>, number | undefined]>([
  ['429 with a time', { response: response(429, '2') }, 2000],
  ['429 with a time, to a write', { method: 'POST', response: response(429, '2') }, 2000],
  ['500 with a time', { response: response(500, '1') }, 1000],
  ['503 with a time', { response: response(503, '0') }, 0],
  ['504 with a time', { response: response(504, '3') }, 3000],
  [
    '429 with a time for the third time, some time later than asked for',
    { tries: 3, response: response(429, '2') },
    4000,
  ],
  ['that, up to the total', { tries: 3, elapsedMs: 117_000, response: response(429, '2') }, 3000],
  ['a date', { response: response(503, 'Tue, 01 Jan 2030 00:00:05 GMT') }, 5000],
  ['a date that has passed', { response: response(503, 'Tue, 01 Jan 2020 00:00:05 GMT') }, 0],
  ['429 without a time', { response: response(429) }, undefined],
  ['503 without a time', { response: response(503) }, undefined],
  ['a time that is none', { response: response(503, 'soon') }, undefined],
  ['502 with a time', { response: response(502, '1') }, undefined],
  ['404', { response: response(404, '1') }, undefined],
  ['the tenth try', { tries: 10, response: response(429, '1') }, undefined],
  ['a wait beyond the total', { elapsedMs: 100_000, response: response(429, '21') }, undefined],
  ['a wait up to the total', { elapsedMs: 100_000, response: response(429, '20') }, 20_000],
  ['a first broken read', {}, 75],
  ['a second broken read', { tries: 2 }, 300],
  ['a third broken read', { tries: 3 }, 1200],
  ['a fourth broken read', { tries: 4 }, undefined],
  ['a broken create', { method: 'POST' }, undefined],
  ['a broken update', { method: 'PUT' }, undefined],
  ['a broken patch', { method: 'PATCH' }, undefined],
  ['a broken delete', { method: 'DELETE' }, undefined],
])('after %s', (_, tried, expected) => {
  const whole: Tried = { method: 'GET', tries: 1, elapsedMs: 0, response: undefined, ...tried }
  expect(planRetry(whole, DEFAULT_LIMITS, NOW, () => 0.5)).toBe(expected)
})
