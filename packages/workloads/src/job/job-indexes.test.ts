import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatIndexes, parseIndexes } from './job-indexes.ts'

it('writes indexes as ranges', () => {
  expect(formatIndexes(new Set([5, 0, 2, 1, 7, 8]))).toBe('0-2,5,7-8')
  expect(formatIndexes(new Set())).toBe('')
})

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300)), (indexes) => {
      const all = new Set(indexes)
      expect(parseIndexes(formatIndexes(all))).toEqual(new Set([...all].sort((a, b) => a - b)))
    }),
  )
})
