import { expect, test } from 'vitest'
import { checkTerms, type TermEntry } from './terms.ts'

const lease = (revision: number, duty = 'd'): TermEntry => ({ type: 'lease', duty, revision })
const count = (revision: number, fence: number, count: number, duty = 'd'): TermEntry => ({
  type: 'count',
  duty,
  revision,
  fence,
  count,
})
const sound = [lease(1), count(2, 1, 1), lease(3, 'e'), count(4, 1, 2), count(5, 3, 1, 'e'), lease(6), count(7, 6, 3)]

test('terms that follow one another are sound', () => {
  expect(checkTerms(sound)).toEqual([])
})

test.each<[string, TermEntry[], RegExp]>([
  ['a former leader that still writes', [...sound, count(8, 1, 4)], /fence: d wrote at 8 on its Lease of 1, .* at 6/],
  ['a write without a Lease', [count(1, 0, 1)], /fence: d wrote at 1/],
  ['two leaders that decide the same', [...sound, count(8, 6, 3)], /count: d went from 3 to 3 at 8/],
  ['a leader that does not know what was decided', [lease(1), count(2, 1, 1), lease(3), count(4, 3, 1)], /from 1 to 1/],
  ['a decision that is lost', [...sound, count(8, 6, 5)], /count: d went from 3 to 5 at 8/],
])('%s is found', (_, log, message) => {
  expect(checkTerms(log)).toContainEqual(expect.stringMatching(message))
})
