import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNewer } from './revision.ts'

it('compares revisions as the numbers they are, however long', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), (a, b) => {
      expect(isNewer(`${a}`, `${b}`)).toBe(a > b)
    }),
  )
  expect(isNewer('10', '9')).toBe(true)
})

it('says of a revision that is missing that it is not newer, and not older', () => {
  for (const [a, b] of [
    [undefined, '1'],
    ['1', undefined],
    ['', '1'],
    ['1', ''],
  ]) {
    expect(isNewer(a, b)).toBe(false)
  }
})
