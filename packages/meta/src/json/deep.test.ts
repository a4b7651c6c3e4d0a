import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepClone, deepEqual } from './deep.ts'

describe('deepEqual', () => {
  it('agrees with comparing canonical JSON', () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_, child) =>
        typeof child === 'object' && child !== null && !Array.isArray(child)
          ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
          : child,
      )
    const small = fc.jsonValue({ maxDepth: 2 })
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(deepEqual(a, b)).toBe(canonical(a) === canonical(b))
        expect(deepEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true)
      }),
    )
  })

  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: undefined }, {}, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: undefined, b: 1 }, { a: 1 }, false],
    [[], {}, false],
    [null, {}, false],
    [[1, 2], [1], false],
    [{}, { toString: undefined }, true],
    [{ toString: 1 }, {}, false],
    [5n, 5n, true],
    ['1', 1, false],
  ])('%o and %o: %s', (a, b, equal) => {
    expect(deepEqual(a, b)).toBe(equal)
    expect(deepEqual(b, a)).toBe(equal)
  })
})

describe('deepClone', () => {
  it('gives an equal value that shares nothing', () => {
    const original = { a: [{ b: 1n }], c: { d: null } }
    const copy = deepClone(original)
    expect(copy).toEqual(original)
    expect(copy.a).not.toBe(original.a)
    expect(copy.a[0]).not.toBe(original.a[0])
    expect(copy.c).not.toBe(original.c)
  })
})
