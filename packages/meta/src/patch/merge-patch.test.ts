import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../json/json-value.ts'
import { applyMergePatch } from './merge-patch.ts'

describe('applyMergePatch on the examples of RFC 7386', () => {
  it.each<[JsonValue, JsonValue, JsonValue]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j', (document, patch, expected) => {
    expect(applyMergePatch(document, patch)).toEqual(expected)
  })
})

describe('applyMergePatch', () => {
  const object = fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }))
    .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)

  it('gives the same when applied again, and changes neither document nor patch', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const before = structuredClone([document, patch])
        const once = applyMergePatch(document, patch)
        expect(applyMergePatch(once, patch)).toEqual(once)
        expect([document, patch]).toEqual(before)
      }),
    )
  })

  it('shares with the document what the patch leaves as it is, and nothing with the patch', () => {
    const document = { a: { b: [1] }, d: { e: 1 } }
    const patch = { d: { f: [2] } }
    const result = applyMergePatch(document, patch) as unknown as { a: object; d: { f: object } }
    expect(result.a).toBe(document.a)
    expect(result.d.f).not.toBe(patch.d.f)
  })

  it('is the document itself when the patch says what is there already', () => {
    const document = { a: { b: [1, { c: 2 }] }, d: 'x' }
    expect(applyMergePatch(document, { a: { b: [1, { c: 2 }] }, gone: null, d: 'x' })).toBe(document)
  })

  it('keeps the order of the document, with what is new at the end', () => {
    expect(Object.keys(applyMergePatch({ a: 1, b: 2 }, { c: 3, a: 4 }) as object)).toEqual(['a', 'b', 'c'])
  })

  it('never reaches a prototype', () => {
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as JsonValue
    const result = applyMergePatch({}, hostile)
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('knows fields that are called as those of a prototype', () => {
    const document = { toString: { a: 1 } } as unknown as JsonValue
    expect(applyMergePatch(document, { toString: { b: 2 }, constructor: { c: 3 } } as unknown as JsonValue)).toEqual({
      toString: { a: 1, b: 2 },
      constructor: { c: 3 },
    })
    expect(applyMergePatch(document, { constructor: null, valueOf: null } as unknown as JsonValue)).toBe(document)
  })
})
