import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalQuantity, compareQuantities, formatQuantity, parseQuantity } from './quantity.ts'

describe('the canonical text of a quantity', () => {
  // Each as a Kubernetes API server answers it.
  it.each([
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    [0.5, '500m'],
    [2, '2'],
    ['0', '0'],
    ['0.0', '0'],
    ['1Gi', '1Gi'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Mi', '512Ki'],
    ['1000Ki', '1000Ki'],
    ['0.5Ki', '512'],
    ['512', '512'],
    ['1000', '1k'],
    ['1500000', '1500k'],
    ['100000000', '100M'],
    ['1e3', '1e3'],
    ['12E2', '1200'],
    ['1e-3', '1e-3'],
    ['1E', '1E'],
    ['+2', '2'],
    ['-2', '-2'],
    ['.5', '500m'],
    ['1.', '1'],
    ['0.0000000001', '1n'],
    ['9999999999999999999', '9999999999999999999'],
    ['100Ei', '9223372036854775807'],
    ['1e4', '10e3'],
    ['1e-12', '1e-9'],
    ['1e21', '1e21'],
    ['-0.5Ki', '-512'],
    ['0.1Ki', '102400m'],
  ])('of %j is %s', (given, canonical) => expect(canonicalQuantity(given)).toBe(canonical))

  it.each(['', '.', 'a', '1x', '1 Gi', '1gi', '1KI', '--1', '1e', '0x10', true, null, {}])(
    'of %j does not exist',
    (given) => expect(canonicalQuantity(given)).toBeUndefined(),
  )

  it('is its own canonical text and the same amount', () => {
    const format = fc.constantFrom('decimal' as const, 'binary' as const, 'exponent' as const)
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 89n), max: 2n ** 89n }), format, (nanos, written) => {
        const text = formatQuantity({ nanos, format: written })
        expect(parseQuantity(text)?.nanos).toBe(nanos)
        expect(canonicalQuantity(text)).toBe(text)
      }),
    )
  })
})

it('quantities compare by amount, however they are written', () => {
  const compare = (a: string, b: string) =>
    compareQuantities(
      parseQuantity(a) ?? { nanos: 0n, format: 'decimal' },
      parseQuantity(b) ?? { nanos: 0n, format: 'decimal' },
    )
  expect(compare('1Gi', '1G')).toBe(1)
  expect(compare('1000m', '1')).toBe(0)
  expect(compare('-1', '1m')).toBe(-1)
})
