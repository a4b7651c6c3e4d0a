import { expect, test } from 'vitest'
import { barsOf, lastedText, type Span } from './waterfall.ts'

const span = (from: number, to: number | undefined): Span => ({ key: `${from}`, label: '', from, to, look: 'good' })

test('bars share the time between the first beginning and the last end', () => {
  const bars = barsOf([span(1000, 2000), span(2000, undefined)], 5000)
  expect(bars.map(({ left, width, lasted }) => [left, width, lasted])).toEqual([
    [0, 25, 1000],
    [25, 75, 3000],
  ])
})

test('a short one can be seen, one that ends before it begins has no length, and none is outside', () => {
  const bars = barsOf([span(0, 100_000), span(100_000, 99_000)], 0)
  expect(bars[1]).toMatchObject({ left: 99.6, width: 0.4, lasted: 0 })
  expect(barsOf([], 0)).toEqual([])
  expect(barsOf([span(7, 7)], 7)[0]).toMatchObject({ left: 0 })
})

test.each([
  [-5, '0 ms'],
  [850, '850 ms'],
  [12_400, '12.4 s'],
  [190_000, '3m10s'],
  [7_500_000, '2h5m'],
])('%d ms are %s', (ms, text) => expect(lastedText(ms)).toBe(text))
