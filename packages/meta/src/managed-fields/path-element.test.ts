import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ODD } from './odd-text.fixture.ts'
import { keyElement, normalElement, shownElement, sortElements, valueElement } from './path-element.ts'

const sorted = (elements: string[]) => {
  sortElements(elements)
  return elements
}

describe('path elements', () => {
  it('sort fields, keys, values and indices, each by what they mean', () => {
    expect(
      sorted(['i:10', 'i:9', 'v:"b"', 'v:10', 'v:9', 'k:{"port":443}', 'k:{"port":80}', 'f:b', 'f:a', 'v:true']),
    ).toEqual(['f:a', 'f:b', 'k:{"port":80}', 'k:{"port":443}', 'v:9', 'v:10', 'v:"b"', 'v:true', 'i:9', 'i:10'])
  })

  it('sort a text before longer ones that begin with it, and by UTF-8 bytes', () => {
    expect(sorted(['v:"a b"', 'v:"a!"', 'v:"a"'])).toEqual(['v:"a"', 'v:"a b"', 'v:"a!"'])
    expect(sorted(['k:{"name":"a b"}', 'k:{"name":"a"}'])).toEqual(['k:{"name":"a"}', 'k:{"name":"a b"}'])
    expect(sorted(['f:😀', 'f:\uffff', 'f:z'])).toEqual(['f:z', 'f:\uffff', 'f:😀'])
  })

  it('sort keys with fewer or other names by their first difference', () => {
    expect(sorted(['k:{"a":1,"b":2}', 'k:{"b":1}', 'k:{"a":1}', 'k:{"a":"x"}'])).toEqual([
      'k:{"a":1}',
      'k:{"a":1,"b":2}',
      'k:{"a":"x"}',
      'k:{"b":1}',
    ])
  })

  it.each([
    [valueElement('a<b>&\u2028'), 'v:"a\\u003cb\\u003e\\u0026\\u2028"'],
    [valueElement('q"\\\n\t\b'), 'v:"q\\"\\\\\\n\\t\\u0008"'],
    [valueElement(9007199254740993n), 'v:9007199254740993'],
    [valueElement(1e-7), 'v:1e-07'],
    [valueElement(1e21), 'v:1e+21'],
    [valueElement(1.5), 'v:1.5'],
    [keyElement([{ name: 'n', value: -9223372036854775808n }]), 'k:{"n":-9223372036854775808}'],
  ])('have the texts that Go writes: %s', (made, expected) => expect(made).toBe(expected))

  it('are read back to the same text', () => {
    const scalar = fc.oneof(
      fc.string({ unit: ODD }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.bigInt(2n ** 53n, 2n ** 63n - 1n),
    )
    fc.assert(
      fc.property(scalar, (value) => {
        const given = Object.is(value, -0) ? 0 : value
        const element = valueElement(given)
        expect(normalElement(element)).toBe(element)
        const key = keyElement([{ name: 'k', value: given }])
        expect(normalElement(key)).toBe(key)
      }),
    )
  })

  it('are put in their one form when somebody else wrote them, and unknown kinds are left out', () => {
    expect(normalElement('k:{ "b": 1.0, "a": "x" }')).toBe('k:{"a":"x","b":1}')
    expect(normalElement('i:007')).toBe('i:7')
    expect(normalElement('x:1')).toBeUndefined()
    for (const bad of ['', 'f', 'spec', 'k:[1]', 'k:{', 'v:', 'i:x']) expect(() => normalElement(bad)).toThrow()
  })

  it('are shown as kubectl prints them', () => {
    expect(shownElement('f:spec', 'set')).toBe('.spec')
    expect(shownElement('k:{"name":"a","port":80}', 'set')).toBe('[name="a",port=80]')
    expect(shownElement('v:"a\\u003cb"', 'set')).toBe('[="a<b"]')
    expect(shownElement('v:12345678', 'set')).toBe('[=1.2345678e+07]')
    expect(shownElement('v:12345678', 'value')).toBe('[=12345678]')
    expect(shownElement('i:3', 'set')).toBe('[3]')
  })
})
