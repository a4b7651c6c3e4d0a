import { expect, it } from 'vitest'
import { judge } from './verdict.ts'

it.each([
  ['equal code', [10, 10, 10], [10, 10, 10], [10, 10, 10], false],
  ['less than 3 % more is allowed', [102, 102, 102], [102, 102, 102], [100, 100, 100], false],
  ['4 % more without noise is worse', [104, 104, 104], [104, 104, 104], [100, 100, 100], true],
  ['8 % more with 5 % of noise is not', [105, 105, 105], [110, 110, 110], [100, 100, 100], false],
  ['less is never worse', [50, 50, 50], [80, 80, 80], [100, 100, 100], false],
  ['a single disturbed slice does not decide', [100, 900, 100], [100, 100, 100], [100, 100, 100], false],
])('%s', (_case, ours, twin, other, worse) => {
  expect(judge({ ours, twin, other }).worse).toBe(worse)
})

it('the noise is the difference of the two servers of the same code', () => {
  expect(judge({ ours: [100], twin: [125], other: [100] }).noise).toBeCloseTo(0.2)
})
