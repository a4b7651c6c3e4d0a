import { expect, test } from 'vitest'
import { chooseApiVersion } from './api-version.ts'

test.each([
  ['1.41', '1.12', '1.41'],
  ['1.30', '1.12', '1.30'],
  ['1.51', '1.24', '1.51'],
  ['1.60', '1.44', '1.51'],
  ['1.60', '1.55', '1.55'],
  ['2.3', '2.1', '2.1'],
  ['1.41', undefined, '1.41'],
])('an engine that speaks up to %s and from %s is asked in %s', (newest, oldest, chosen) => {
  expect(chooseApiVersion({ ApiVersion: newest, ...(oldest && { MinAPIVersion: oldest }) })).toBe(chosen)
})

test('an engine that is too old, or none at all, is refused', () => {
  expect(() => chooseApiVersion({ ApiVersion: '1.24' })).toThrow('at least 1.30 (Docker 17.06) is needed')
  expect(() => chooseApiVersion({})).toThrow('does not answer like a Docker engine')
})
