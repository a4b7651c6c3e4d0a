import * as cel from '@homeostat/cel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pattern } from '../compile/pattern.ts'
import { escapePattern, re2Pattern } from './patterns.ts'

describe('re2Pattern', () => {
  it.each([
    [/^a$/, '^a$'],
    [/^a$/i, '(?i)^a$'],
    [/^.$/ms, '(?ms)^.$'],
    [/a/g, 'a'],
    [/a\/b/, 'a/b'],
    [/(?<x>a)/, '(a)'],
    [/(?:a)/, '(?:a)'],
    [/\u00e4/, '\\x{00e4}'],
    [/\u{1f600}/u, '\\x{1f600}'],
    [/\p{L}+/u, '\\p{L}+'],
    [/[\u0041-\u005a]/, '[\\x{0041}-\\x{005a}]'],
  ])('%s is %s', (expression, expected) => expect(re2Pattern(expression)).toBe(expected))

  it.each([
    /(?=a)/,
    /(?!a)/,
    /(?<=a)b/,
    /(?<!a)b/,
    /(a)\1/,
    /(?<x>a)\k<x>/,
    /a/y,
    /[\p{L}--[a-z]]/v,
    /\p{Script=Greek}/u,
    /\ud83d/,
    /\cA/,
    /a{2000}/,
  ])('cannot say %s', (expression) => expect(re2Pattern(expression)).toBeUndefined())

  it.each(['[^]', '[]', '\\p{L}', '\\A', '\\0', '\\u{41}'])('cannot say %s without flags', (source) => {
    expect(re2Pattern(new RegExp(source))).toBeUndefined()
  })

  it('matches what JavaScript matches', () => {
    const expressions = [/^[a-c]+$/, /a|b$/, /^\d{1,2}x?$/, /\w-\w/, /^[^a]$/, /^a.c$/, /^A/i, /b\.c/, /(?<n>a)+$/]
    fc.assert(
      fc.property(fc.constantFrom(...expressions), fc.stringMatching(/^[a-cA-C.x0-9-]{0,5}$/), (expression, text) => {
        const pattern = new Pattern(re2Pattern(expression) ?? 'never', cel)
        expect(pattern.matches(text)).toBe(expression.test(text))
      }),
    )
  })
})

it('escapePattern makes any text match itself and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, other) => {
      const pattern = new Pattern(`^${escapePattern(text)}$`, cel)
      expect(pattern.matches(text)).toBe(true)
      expect(pattern.matches(other)).toBe(text === other)
    }),
  )
})
