import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { yamlParts } from './yaml-parts.ts'

const names = (text: string) => yamlParts(text).flatMap((part) => (part.isName ? [part.text] : []))

test('names of fields are found, also in lists', () => {
  const text = stringify({ spec: { ports: [{ name: 'web', 'a b': 1 }], '/odd#': 1, 'c: d': { x: '12:30: noon' } } })
  expect(names(text)).toEqual(['spec:', 'ports:', 'name:', 'a b:', '/odd#:', '"c: d":', 'x:'])
})

test('what stands in a block of text is no name', () => {
  const text = stringify({ data: { 'a.yaml': 'kind: Pod\nspec:\n  x: 1\n\nlast: 2\n', b: '1' } })
  expect(names(text)).toEqual(['data:', 'a.yaml:', 'b:'])
})

test('the parts are the text, whatever that is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ':', ' ', '-', '\n', '|', '"', '#', '\r', '\u2028') }),
      (text) => {
        expect(
          yamlParts(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
      },
    ),
  )
})
