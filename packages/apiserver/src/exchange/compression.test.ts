import { expect, it } from 'vitest'
import { acceptsGzip } from './compression.ts'

it.each([
  ['gzip', true],
  ['gzip, deflate, br', true],
  ['br;q=1.0, GZIP;q=0.8', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, identity', false],
  ['x-gzip', false],
  ['*', false],
  ['', false],
  [undefined, false],
])('of a client that says %s: %s', (header, accepts) => {
  expect(acceptsGzip(header)).toBe(accepts)
})
