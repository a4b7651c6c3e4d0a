import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFieldSelector } from './field-selector.ts'

describe('parseFieldSelector', () => {
  it.each([
    ['', []],
    ['metadata.name=a', [{ field: 'metadata.name', op: '=', value: 'a' }]],
    ['metadata.name==a', [{ field: 'metadata.name', op: '=', value: 'a' }]],
    ['metadata.name!=a', [{ field: 'metadata.name', op: '!=', value: 'a' }]],
    ['a=', [{ field: 'a', op: '=', value: '' }]],
    ['a=x\\,y\\=z\\\\', [{ field: 'a', op: '=', value: 'x,y=z\\' }]],
    [
      'a=1,,b!=2,',
      [
        { field: 'a', op: '=', value: '1' },
        { field: 'b', op: '!=', value: '2' },
      ],
    ],
  ])('reads %j', (text, requirements) => {
    const selector = parseFieldSelector(text)
    expect(selector.requirements).toEqual(requirements)
    expect(selector.empty).toBe(requirements.length === 0)
  })

  it.each(['nonsense', 'a=b=c', 'a=\\x', 'a=b\\', 'a=1,b'])('refuses %j with 400', (text) => {
    expect(() => parseFieldSelector(text)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 400, reason: 'BadRequest' }) }),
    )
  })

  it('writes itself so that it reads the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '!') }), (value) => {
        const escaped = value.replaceAll(/[\\,=]/g, '\\$&')
        const selector = parseFieldSelector(`x=${escaped}`)
        expect(selector.requirements[0]?.value).toBe(value)
        expect(parseFieldSelector(selector.toString()).requirements).toEqual(selector.requirements)
      }),
    )
  })
})
