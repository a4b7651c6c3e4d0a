import { expect, test } from 'vitest'
import { matcherOf, parseFilters, printFilters } from './column-filter.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')

test.each<[filter: string, value: unknown, matches: boolean]>([
  ['web', 'my-Web-1', true],
  ['web', undefined, false],
  ['=Failed', 'failed', true],
  ['=Failed', 'NotFailed', false],
  ['=', null, true],
  ['!succ', 'Succeeded', false],
  ['!succ', null, true],
  ['>2', 3, true],
  ['>2', '2', false],
  ['>2', null, false],
  ['<10m', '2026-01-01T00:55:00Z', true],
  ['<10m', '2026-01-01T00:45:00Z', false],
  ['>5m', '7m30s', true],
  ['> half', 'anything', true],
  ['', 'anything', true],
  ['{"a"', { a: 1 }, true],
])('%s of %j: %s', (filter, value, matches) => {
  expect(matcherOf(filter, NOW)(value)).toBe(matches)
})

test('filters survive the address, whatever their columns are called', () => {
  const filters = { Phase: '=Failed', 'a,b:: c': '>2,3', '.spec["x%2C"]': 'y' }
  expect(parseFilters(printFilters(filters))).toEqual(filters)
  expect(printFilters({ Phase: '' })).toBeUndefined()
  expect(parseFilters('nonsense,::,a::')).toEqual({ a: '' })
})
