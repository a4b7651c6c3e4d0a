import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasLongNumber } from './long-number.ts'

it.each([
  ['', false],
  ['123456789012345', false],
  ['1234567890123456', true],
  ['x1234567890123456', true],
  ['{"a":123456789012345,"b":123456789012345}', false],
  [`{"a":"${' '.repeat(9)}99999999999999999999"}`, true],
])('%j: %s', (text, expected) => {
  expect(hasLongNumber(text)).toBe(expected)
})

it('it finds a run of 16 digits wherever it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(40), fc.string(), fc.nat(40), (before, first, between, second) => {
      const text = `${before}${'7'.repeat(first)}${between}${'0'.repeat(second)}`
      expect(hasLongNumber(text)).toBe(/[0-9]{16}/.test(text))
    }),
  )
})

it('in a long text, too, it finds 16 digits at any place, and not 15', () => {
  const size = 4096
  const withRun = (at: number, digits: number) =>
    `${' '.repeat(at)}${'7'.repeat(digits)}${' '.repeat(size - at - digits)}`
  for (let at = 0; at <= size - 16; at++) {
    expect(hasLongNumber(withRun(at, 16))).toBe(true)
    expect(hasLongNumber(withRun(at, 15))).toBe(false)
  }
})
