import * as cel from '@homeostat/cel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pattern } from './pattern.ts'

describe('a pattern', () => {
  it.each([
    '^[a-z0-9/:._-]+$',
    '^a|b$',
    '^',
    '^$',
    '^(?i)ab*$',
    '^(?m)a$',
    '^(?:a|)+$',
    '^\\Qa',
    '^a\\z',
    '^[^a]*\\b',
    'a+b?$',
  ])('%s finds what RE2 finds', (source) => {
    const pattern = new Pattern(source, cel)
    const plain = cel.compileRe2(source)
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\n', ' ', '|', '\u{1F600}'), maxLength: 6 })
    fc.assert(fc.property(text, (one) => pattern.matches(one) === plain.test(one)))
  })

  it.each(['(', 'a)(b', '(?=a)', '(?<!a)', '\\1', 'a{1001}', '[z-a]'])('%s is refused', (source) => {
    expect(() => new Pattern(source, cel)).toThrow()
  })

  it('finds the same, whatever it was asked before', () => {
    const pattern = new Pattern('^a+$', cel)
    const text = fc.constantFrom('a', 'aa', 'aaa', 'aaaa', 'aaaaa', 'b', 'ab', '', 'a'.repeat(300))
    fc.assert(fc.property(text, (one) => pattern.matches(one) === /^a+$/.test(one)))
  })

  it('costs nothing when the text is among those that matched last', () => {
    const pattern = new Pattern('^a+$', cel)
    expect(pattern.cost('aaa')).toBeGreaterThan(0)
    expect(pattern.matches('aaa')).toBe(true)
    expect(pattern.cost('aaa')).toBe(0)
    expect(pattern.matches('b')).toBe(false)
    expect(pattern.cost('b')).toBeGreaterThan(0)
    expect(pattern.matches('aa') && pattern.cost('aaa') + pattern.cost('aa')).toBe(0)
    for (let length = 4; length < 20; length++) pattern.matches('a'.repeat(length))
    expect(pattern.cost('aaa')).toBeGreaterThan(0)
  })
})
